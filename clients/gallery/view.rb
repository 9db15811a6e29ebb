#!/usr/bin/env ruby
# A line-based view for login-engine. Usage: view.rb [--verify] [ENGINE [ARGUMENT ...]]

require "io/console"
require "json"

Encoding.default_external = Encoding::UTF_8
BARE = { "activity" => false, **%w[error notice alert scene retryAt focus].to_h { |name| [name, nil] } }.freeze

def find(parts, wanted)
  parts.find { |part| part["id"] == wanted } || {}
end

# Applies a command to a screen.
def apply(screen, it)
  sections, actions = screen.values_at("sections", "actions")
  case name = it.delete("command")
  when "showScreen" then screen.update(BARE, it)
  when "setState", "setRetryAt", "setFocus" then screen.update(it)
  when "showError", "showNotice", "showAlert", "showScene" then screen.update(it)
  when "hideError", "hideNotice", "hideAlert" then screen[name[4..].downcase] = nil
  when "showActivity", "hideActivity" then screen["activity"] = name == "showActivity"
  when "setItem" then find(sections.flat_map { |section| section["items"] }, it.delete("item")).update(it)
  when "setAction" then find(actions, it.delete("action")).update(it)
  when "replaceAction" then actions.map! { |action| action["id"] == it["action"] ? it["newAction"] : action }
  when "insertSection" then sections.insert(it["index"], it["newSection"])
  when "removeSection" then sections.reject! { |section| section["id"] == it["section"] }
  when "insertItem" then find(sections, it["section"])["items"].insert(it["index"], it["newItem"])
  when "removeItem" then sections.each { |section| section["items"].reject! { |item| item["id"] == it["item"] } }
  end
end

# Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line.
def say(*texts)
  text = texts.reject { |each| each.nil? || each.empty? }.join("\n")
  puts text.gsub(/[\u0000-\t\v-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/, "�").gsub("\n", "\n   ")
end

# Formats an item or an action.
def look(part)
  title, value = part.values_at("title", "value")
  return part["enabled"] ? "[#{title}]" : "(#{title})" if part["role"]

  case part["kind"]
  when "switch" then value = value ? "[x]" : "[ ]"
  when "selection" then value = find(part["options"], value)["title"] || "–"
  when "input"
    empty = part["placeholder"] || (part["inputType"] == "date" ? "YYYY-MM-DD" : "–")
    value = "(#{empty})" if value.nil? || value.empty?
    value = "********" if part["filled"]
  else value = part["url"] || part["text"]
  end
  [title, value].reject { |text| text.nil? || text.empty? }.join(": ")
end

# Prints a screen, and returns the choices, by the number to type.
def draw(screen)
  alert, scene = screen.values_at("alert", "scene")
  choices = {}
  puts
  say scene ? "== scene: #{scene["id"]}" : "== #{screen["title"]}", scene && scene["principal"]
  [alert, screen["notice"], screen["error"]].compact.each { |message| say message["title"], "! #{message["text"]}" }
  sections = alert || scene ? [] : screen["sections"]
  actions = (alert || screen)["actions"].select { |action| action["enabled"] || !scene }
  [*sections, { "items" => actions }].each do |section|
    say "-- #{section["title"]}" if section["title"]
    section["items"].each do |part|
      can_be_chosen = part["role"] || %w[input selection switch].include?(part["kind"]) && !part["readOnly"]
      choices[(choices.size + 1).to_s] = part if can_be_chosen
      number = "#{choices.size}. " if can_be_chosen
      say "#{number}#{look(part)}", part["hint"], *part["messages"]&.map { |message| "! #{message["text"]}" }
    end
  end
  say "..." if screen["activity"]
  choices
end

# A session with an engine that this program starts, and its input.
class View
  def initialize(command, is_verifying)
    @engine = IO.popen(command, "r+")
    @is_verifying = is_verifying
    @screen, @revision, @events = {}, 0, 0
    @edit = [] # not counted by the engine yet
    @prompt, @echoes = "", true
  end

  # Reads and applies the engine's next line.
  def receive
    message = JSON.parse(@engine.gets || abort("the engine has stopped"))
    content = message["params"] || message["result"] || {}
    is_counted = content.fetch("events", 0) > @events # the edit; the commands undo a refused edit
    [*(@edit if is_counted), *content["commands"]].each { |it| apply(@screen, it) }
    @revision, @events = content.values_at("revision", "events").zip([@revision, @events]).map { |new, old| new || old }
    snapshot = content["snapshot"] || @screen
    abort "the commands do not lead to the snapshot of revision #{@revision}" if @is_verifying && snapshot != @screen
    @screen = snapshot # includes the effects of commands of later versions
    abort "the session has ended: #{content["reason"]}" if message["method"] == "session/closed"
    message
  end

  # Sends a request, and returns its result.
  def call(method, **params)
    @engine.puts({ jsonrpc: "2.0", id: 1, method:, params: { session: "view", **params } }.to_json)
    message = receive
    message = receive while message["method"] # an update that came first
    say "! #{message["error"]["message"]}" if message["error"]
    message["result"] || {}
  end

  def prompt(text, echo: true)
    @prompt, @echoes = text, echo
    self.echo = echo
    print text
    $stdout.flush
  end

  def echo=(is_on)
    $stdin.echo = is_on if $stdin.tty?
  rescue Errno::EINTR # stopped in the background, and continued by a shell
    retry
  end

  # Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues.
  def suspend
    self.echo = true
    trap("TSTP", "SYSTEM_DEFAULT")
    Process.kill("TSTP", Process.pid) # the view stops here, if a shell can continue it
    trap("TSTP") { suspend }
    print @prompt
    $stdout.flush
    Process.kill("CONT", Process.pid)
  end

  # Restores the terminal on signals.
  def handle_signals
    %w[INT TERM HUP QUIT].each do |name|
      trap(name) do
        trap("TTOU", "IGNORE") # in the background, turning the echo on would otherwise stop the view
        self.echo = true
        exit!(1)
      end
    end
    trap("TSTP") { suspend }
    trap("CONT") { self.echo = @echoes } # a shell turns the echo on when the view stops
  end

  # Reads a line from the person. The view ends at the end of the input.
  def read_line
    ($stdin.gets || exit(@screen["scene"] ? 0 : 1)).chomp.scrub
  end

  # Asks for the number of an option, and returns its id, or nil for none.
  def ask_for_one_of(options)
    options.each.with_index(1) { |option, number| say "   #{number}. #{option["title"]}" }
    loop do
      prompt "value: "
      line = read_line
      number = options.each_index.find { |index| (index + 1).to_s == line }
      return number && options[number]["id"] if number || line.empty?

      say "! Type one number from 1 to #{options.size}, or nothing for none."
    end
  end

  # Presses an action, or edits an item.
  def choose(part)
    return call("session/press", action: part["id"], revision: @revision) if part["role"]

    case part["kind"]
    when "switch" then value = !part["value"]
    when "selection"
      value = ask_for_one_of(call("session/options", item: part["id"])["options"] || [])
    else
      prompt "value: ", echo: !part.key?("filled")
      value = read_line
    end
    shown = part.key?("filled") ? { "filled" => value != "" } : { "value" => value }
    @edit = [{ "command" => "setItem", "item" => part["id"], **shown }]
    call("session/edit", item: part["id"], value:, revision: @revision)
    @edit = []
  end

  def run
    handle_signals
    call("session/open", detail: "full", transitions: "instant")
    until (choices = draw(@screen)).empty?
      prompt "> "
      # A person may choose during a request; a script waits.
      may_choose = $stdin.tty? || !@screen["activity"]
      ready, = IO.select([@engine, ($stdin if may_choose)].compact)
      next receive if ready.include?(@engine)

      part = choices[read_line]
      part ? choose(part) : say("! Type one number from 1 to #{choices.size}.")
    end
  end
end

begin
  is_verifying = ARGV.first == "--verify" && ARGV.shift
  View.new(ARGV.empty? ? ["login-engine"] : ARGV, is_verifying).run
rescue Errno::ENOENT => error
  abort error.message
rescue Errno::EPIPE
  abort "the engine has stopped"
ensure
  $stdin.echo = true if $stdin.tty?
  puts
end
