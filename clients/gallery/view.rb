#!/usr/bin/env ruby
# A view for login-engine, in lines of text. Usage: view.rb [ENGINE [ARGUMENT ...]]

require "io/console"
require "json"

Encoding.default_external = Encoding::UTF_8

# Prints texts, all but the first indented, without what could command the terminal or reorder a line.
def say(*texts)
  text = texts.reject { |each| each.nil? || each.empty? }.join("\n")
  puts text.gsub(/[\u0000-\t\v-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/, " ").gsub("\n", "\n   ")
end

# An item or an action as text.
def look(part)
  title = "#{part["title"]}#{" *" if part["required"]}"
  value = part["value"]
  if part["role"]
    title = "(#{title})" unless part["enabled"]
    return %w[primary dismiss destructive].include?(part["role"]) ? "[ #{title} ]" : "-> #{title}"
  end
  case part["kind"]
  when "switch"
    return "[#{{ nil => "-", true => "x" }.fetch(value, " ")}] #{title}"
  when "selection"
    value = part["options"].find { |option| option["id"] == value }&.fetch("title") || "(–)"
  when "input"
    empty = part["placeholder"] || (part["inputType"] == "date" ? "YYYY-MM-DD" : "–")
    value = "(#{empty})" if value.nil? || value.empty?
    value = "********" if part["filled"]
  else
    value = part["url"] || part["text"]
  end
  [title, value].reject { |text| text.nil? || text.empty? }.join(": ")
end

# Prints a screen, and returns what can be chosen, in the order of the numbers.
def draw(screen)
  alert, scene = screen.values_at("alert", "scene")
  puts
  if scene
    say "== scene: #{scene["id"]}", "principal: #{scene["principal"] || "–"}", "data: #{scene["data"].to_json}"
  else
    say "== #{screen["title"]}"
  end
  say "alert:", alert["title"], alert["text"] if alert
  sections = alert || scene ? [] : screen["sections"]
  actions = (alert || screen)["actions"].select { |action| action["enabled"] || !scene }
  choices = []
  [*sections, { "items" => actions }].each do |section|
    say "-- #{section["title"]}" if section["title"]
    section["items"].each do |part|
      can_be_chosen = part["role"] || %w[input selection switch].include?(part["kind"]) && !part["readOnly"]
      choices << part if can_be_chosen
      number = "#{choices.size}. " if can_be_chosen
      say "#{number}#{look(part)}", part["hint"], *part["messages"]&.map { |message| "! #{message["text"]}" }
    end
  end
  %w[notice error].each { |kind| say "#{kind}: #{screen[kind]["text"]}" if screen[kind] }
  say "working ..." if screen["activity"]
  choices
end

# The choice that has this number, or nil.
def pick(choices, number)
  choices[number.to_i - 1] if number.match?(/\A\d{1,9}\z/) && number.to_i.positive?
end

# A session of an engine that this program starts, and the person who types.
class View
  def initialize(command)
    @engine = IO.popen(command, "r+")
  end

  # Takes the engine's next line.
  def receive
    message = JSON.parse(@engine.gets || abort("the engine has stopped"))
    content = message["params"] || message["result"] || {}
    @screen, @revision = content.values_at("snapshot", "revision") if content["snapshot"]
    abort "the session has ended: #{content["reason"]}" if message["method"] == "session/closed"
    message
  end

  # Makes a request, and returns its result. What the engine refuses stays as the engine has it.
  def call(method, **params)
    @engine.puts({ jsonrpc: "2.0", id: 1, method:, params: { session: "view", **params } }.to_json)
    message = receive
    message = receive while message["method"] # an update that came first
    if message["error"]
      say "(#{message["error"]["message"]})"
      @screen ? call("session/snapshot") : exit(1)
    end
    message["result"] || {}
  end

  def prompt(text, echo: true)
    $stdin.echo = echo if $stdin.tty?
    print text
    $stdout.flush
  end

  # The line that the person types; the view ends at the end of the input.
  def read
    line = $stdin.gets || exit(@screen["scene"] ? 0 : 1)
    line.chomp.scrub
  end

  # Presses an action, or changes an item.
  def choose(part)
    return call("session/perform", action: part["id"], revision: @revision) if part["role"]

    case part["kind"]
    when "switch"
      value = !part["value"]
    when "selection"
      options = call("session/options", item: part["id"])["options"] || []
      say "options:", *options.map.with_index(1) { |option, number| "#{number} #{option["title"]}" }
      prompt "number, or nothing for none: "
      value = pick(options, read)&.fetch("id")
    else
      is_masked = part.key?("filled") && part["inputType"] != "oneTimeCode"
      prompt is_masked ? "value (not shown): " : "value: ", echo: !is_masked
      value = read
    end
    call("session/change", item: part["id"], value:, revision: @revision)
  end

  def run
    call("session/open", transitions: "instant", supports: ["restoreSecret"])
    until (choices = draw(@screen)).empty?
      prompt "> "
      # A person may choose while something is under way; a script waits.
      may_choose = $stdin.tty? || !@screen["activity"]
      ready, = IO.select([@engine, ($stdin if may_choose)].compact)
      next receive unless ready.include?($stdin)

      part = pick(choices, read)
      choose(part) if part
    end
  end

  def close
    prompt "\n"
    Process.kill("TERM", @engine.pid)
    @engine.close
  end
end

begin
  view = View.new(ARGV.empty? ? ["login-engine"] : ARGV)
  view.run
rescue Errno::ENOENT => error
  abort error.message
rescue Errno::EPIPE, Interrupt
  abort "the engine has stopped"
ensure
  view&.close
end
