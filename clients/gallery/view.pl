#!/usr/bin/env perl
# A line-based view for login-engine. Usage: view.pl [--verify] [ENGINE [ARGUMENT ...]]
use v5.36;
use utf8;
use open qw(:std :encoding(UTF-8));
use Encode qw(decode);
use IO::Select;
use IPC::Open2;
use JSON::PP;
use POSIX qw(SIG_UNBLOCK SIGTSTP);

$| = 1;
my $json = JSON::PP->new->utf8->canonical;

sub find ($parts, $wanted) {
    my ($found) = grep { $_->{id} eq $wanted } @$parts;
    return $found // {};
}

# Applies a command to a screen.
sub apply ($screen, $it) {
    my ($name, $sections, $actions) = (delete $it->{command}, @$screen{qw(sections actions)});
    if ($name eq "showScreen") {
        my @bare = map { $_ => undef } qw(error notice alert scene retryAt focus);
        %$screen = (@bare, activity => JSON::PP::false, %$it);
    } elsif ($name =~ /^(setState|setRetryAt|setFocus|showError|showNotice|showAlert|showScene)$/) {
        %$screen = (%$screen, %$it);
    } elsif ($name =~ /^hide(Error|Notice|Alert)$/) {
        $screen->{ lc $1 } = undef;
    } elsif ($name =~ /^(show|hide)Activity$/) {
        $screen->{activity} = $1 eq "show" ? JSON::PP::true : JSON::PP::false;
    } elsif ($name eq "setItem") {
        my $item = find([map { @{ $_->{items} } } @$sections], delete $it->{item});
        %$item = (%$item, %$it);
    } elsif ($name eq "setAction") {
        my $action = find($actions, delete $it->{action});
        %$action = (%$action, %$it);
    } elsif ($name eq "replaceAction") {
        @$actions = map { $_->{id} eq $it->{action} ? $it->{newAction} : $_ } @$actions;
    } elsif ($name eq "insertSection") {
        splice @$sections, $it->{index}, 0, $it->{newSection};
    } elsif ($name eq "removeSection") {
        @$sections = grep { $_->{id} ne $it->{section} } @$sections;
    } elsif ($name eq "insertItem") {
        splice @{ find($sections, $it->{section})->{items} }, $it->{index}, 0, $it->{newItem};
    } elsif ($name eq "removeItem") {
        $_->{items} = [grep { $_->{id} ne $it->{item} } @{ $_->{items} }] for @$sections;
    }
}

# Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line.
sub say_all (@texts) {
    my $text = join "\n", grep { length } @texts;
    $text =~ s/[\0-\t\x{b}-\x{1f}\x{7f}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/�/g;
    say $text =~ s/\n/\n   /gr;
}

# Formats an item or an action.
sub look ($part) {
    my ($kind, $title, $value) = @$part{qw(kind title value)};
    return $part->{enabled} ? "[$title]" : "($title)" if $part->{role};
    if ($kind eq "switch") {
        $value = $value ? "[x]" : "[ ]";
    } elsif ($kind eq "selection") {
        $value = find($part->{options}, $value // "")->{title} // "–";
    } elsif ($kind eq "input") {
        my $empty = $part->{placeholder} // ($part->{inputType} eq "date" ? "YYYY-MM-DD" : "–");
        $value = $part->{filled} ? "********" : length $value ? $value : "($empty)";
    } else {
        $value = $part->{url} // $part->{text};
    }
    return join ": ", grep { length } $title, $value;
}

# Prints a screen, and returns the choices, by the number to type.
sub draw ($screen) {
    my ($alert, $scene) = @$screen{qw(alert scene)};
    my %choices;
    print "\n";
    say_all $scene ? ("== scene: $scene->{id}", $scene->{principal}) : "== $screen->{title}";
    for my $message (grep { $_ } @$screen{qw(alert notice error)}) {
        say_all $message->{title}, "! $message->{text}";
    }
    my @sections = $alert || $scene ? () : @{ $screen->{sections} };
    my @actions = grep { $_->{enabled} || !$scene } @{ ($alert || $screen)->{actions} };
    for my $section (@sections, { items => \@actions }) {
        say_all "-- $section->{title}" if $section->{title};
        for my $part (@{ $section->{items} }) {
            my $number = "";
            if ($part->{role} || $part->{kind} =~ /^(input|selection|switch)$/ && !$part->{readOnly}) {
                $choices{ 1 + keys %choices } = $part;
                $number = keys(%choices) . ". ";
            }
            say_all $number . look($part), $part->{hint}, map { "! $_->{text}" } @{ $part->{messages} // [] };
        }
    }
    say_all "..." if $screen->{activity};
    return \%choices;
}

my $is_verifying = @ARGV && $ARGV[0] eq "--verify" && shift;
my $pid = open2(my $from_engine, my $to_engine, @ARGV ? @ARGV : "login-engine");
my %source = (engine => $from_engine, person => \*STDIN);
binmode $_, ":raw" for $from_engine, $to_engine, \*STDIN;
my %unread = (engine => "", person => "");
my ($screen, $revision, $events, @edit) = ({}, 0, 0);    # @edit: not counted by the engine yet
my @prompted = ("", "echo");
local $SIG{PIPE} = "IGNORE";    # the end of the engine's output is detected below
local $SIG{TSTP} = \&suspend;
local $SIG{CONT} = sub { set_echo($prompted[1]) };    # a shell turns the echo on when the view stops
local @SIG{qw(INT TERM HUP QUIT)} = (sub {
    $SIG{TTOU} = "IGNORE";    # in the background, stty would otherwise stop the view
    exit 1;
}) x 4;

END {
    my $status = $?;
    prompt("\n");
    $? = $status;
}

sub fail ($problem) {
    say STDERR $problem;
    exit 1;
}

# Returns the next line from the engine or the person, without its newline.
sub line_from ($name) {
    until ($unread{$name} =~ /\n/) {
        wait_for($name);    # signals interrupt this, but not sysread
        sysread $source{$name}, $unread{$name}, 65536, length $unread{$name} or return;
    }
    (my $line, $unread{$name}) = split /\n/, $unread{$name}, 2;
    return $line;
}

# Waits for a line from one of these, and returns its source.
sub wait_for (@names) {
    for my $name (@names) {
        return $name if $unread{$name} =~ /\n/;
    }
    my $ready;
    # A short timeout: Perl runs the handler of a signal that came just before only after the call.
    ($ready) = IO::Select->new(@source{@names})->can_read(0.2) until $ready;
    return $ready == $from_engine ? "engine" : "person";
}

# Reads and applies the engine's next line.
sub receive () {
    my $message = $json->decode(line_from("engine") // fail("the engine has stopped"));
    my $content = $message->{params} // $message->{result} // {};
    my @counted = ($content->{events} // 0) > $events ? @edit : ();    # the commands undo a refused edit
    apply($screen, $_) for @counted, @{ $content->{commands} // [] };
    $revision = $content->{revision} // $revision;
    $events = $content->{events} // $events;
    my $snapshot = $content->{snapshot} // $screen;
    if ($is_verifying && $json->encode($snapshot) ne $json->encode($screen)) {
        fail("the commands do not lead to the snapshot of revision $revision");
    }
    $screen = $snapshot;    # includes the effects of commands of later versions
    fail("the session has ended: $content->{reason}") if ($message->{method} // "") eq "session/closed";
    return $message;
}

# Sends a request, and returns its result.
sub call ($method, %params) {
    my %request = (jsonrpc => "2.0", id => 1, method => $method, params => { session => "view", %params });
    syswrite $to_engine, $json->encode(\%request) . "\n";
    my $message;
    do { $message = receive } while $message->{method};    # updates come first
    say_all "! $message->{error}{message}" if $message->{error};
    return $message->{result} // {};
}

sub set_echo ($echo) {
    system "stty", $echo if -t STDIN;
}

sub prompt ($text, $echo = "echo") {
    @prompted = ($text, $echo);
    set_echo($echo);
    print $text;
}

# Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues.
sub suspend {
    set_echo("echo");
    local $SIG{TSTP} = "DEFAULT";
    kill TSTP => $$;
    POSIX::sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGTSTP));    # the view stops here, if a shell can continue it
    prompt(@prompted);
}

# Reads a line from the person. The view ends at the end of the input.
sub read_line () {
    return decode "UTF-8", line_from("person") // exit($screen->{scene} ? 0 : 1);
}

# Presses an action, or edits an item.
sub choose ($part) {
    return call("session/press", action => $part->{id}, revision => $revision) if $part->{role};
    my ($is_secret, $value) = (exists $part->{filled});
    if ($part->{kind} eq "switch") {
        $value = $part->{value} ? JSON::PP::false : JSON::PP::true;
    } elsif ($part->{kind} eq "selection") {
        my @options = @{ call("session/options", item => $part->{id})->{options} // [] };
        say_all "   $_. $options[$_ - 1]{title}" for 1 .. @options;
        my %ids = ("" => undef, map { $_ => $options[$_ - 1]{id} } 1 .. @options);
        my $line;
        until (defined $line && exists $ids{$line}) {
            say_all "! Type one number from 1 to " . @options . ", or nothing for none." if defined $line;
            prompt "value: ";
            $line = read_line;
        }
        $value = $ids{$line};
    } else {
        prompt "value: ", $is_secret ? "-echo" : "echo";
        $value = read_line;
    }
    my @shown = $is_secret ? (filled => length $value ? JSON::PP::true : JSON::PP::false) : (value => $value);
    @edit = { command => "setItem", item => $part->{id}, @shown };
    call("session/edit", item => $part->{id}, value => $value, revision => $revision);
    @edit = ();
}

my $choices;
call("session/open", detail => "full", transitions => "instant");
while (%{ $choices = draw($screen) }) {
    prompt "> ";
    # A person may choose during a request; a script waits.
    if (wait_for("engine", (-t STDIN || !$screen->{activity}) ? "person" : ()) eq "engine") {
        receive;
    } elsif (my $part = $choices->{ read_line() }) {
        choose($part);
    } else {
        say_all "! Type one number from 1 to " . keys(%$choices) . ".";
    }
}
