#!/usr/bin/env perl
# A view for login-engine, in lines of text. Usage: view.pl [ENGINE [ARGUMENT ...]]
use v5.36;
use utf8;
use open qw(:std :encoding(UTF-8));
use Encode qw(decode);
use IO::Select;
use IPC::Open2;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->utf8;

# Prints texts, all but the first indented, without what could command the terminal or reorder a line.
sub say_all (@texts) {
    my $text = join "\n", grep { length } @texts;
    $text =~ s/[\0-\t\x{b}-\x{1f}\x{7f}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/ /g;
    say $text =~ s/\n/\n   /gr;
}

# An item or an action as text.
sub look ($part) {
    my ($kind, $value) = @$part{qw(kind value)};
    my $title = ($part->{title} // "") . ($part->{required} ? " *" : "");
    if ($part->{role}) {
        $title = "($title)" unless $part->{enabled};
        return $part->{role} =~ /^(primary|dismiss|destructive)$/ ? "[ $title ]" : "-> $title";
    }
    if ($kind eq "switch") {
        return "[" . (!defined $value ? "-" : $value ? "x" : " ") . "] $title";
    } elsif ($kind eq "selection") {
        my ($option) = grep { defined $value && $_->{id} eq $value } @{ $part->{options} };
        $value = $option ? $option->{title} : "(–)";
    } elsif ($kind eq "input") {
        my $empty = $part->{placeholder} // ($part->{inputType} eq "date" ? "YYYY-MM-DD" : "–");
        $value = $part->{filled} ? "********" : length $value ? $value : "($empty)";
    } else {
        $value = $part->{url} // $part->{text};
    }
    return join ": ", grep { length } $title, $value;
}

# Prints a screen, and returns what can be chosen, in the order of the numbers.
sub draw ($screen) {
    my ($alert, $scene) = @$screen{qw(alert scene)};
    print "\n";
    if ($scene) {
        my $data = decode "UTF-8", $json->allow_nonref->encode($scene->{data});
        say_all "== scene: $scene->{id}", "principal: " . ($scene->{principal} // "–"), "data: $data";
    } else {
        say_all "== $screen->{title}";
    }
    say_all "alert:", @$alert{qw(title text)} if $alert;
    my @sections = $alert || $scene ? () : @{ $screen->{sections} };
    my @actions = grep { $_->{enabled} || !$scene } @{ ($alert || $screen)->{actions} };
    my @choices;
    for my $section (@sections, { items => \@actions }) {
        say_all "-- $section->{title}" if $section->{title};
        for my $part (@{ $section->{items} }) {
            my $number = "";
            if ($part->{role} || $part->{kind} =~ /^(input|selection|switch)$/ && !$part->{readOnly}) {
                $number = push(@choices, $part) . ". ";
            }
            say_all $number . look($part), $part->{hint}, map { "! $_->{text}" } @{ $part->{messages} // [] };
        }
    }
    for my $kind (grep { $screen->{$_} } qw(notice error)) {
        say_all "$kind: $screen->{$kind}{text}";
    }
    say_all "working ..." if $screen->{activity};
    return @choices;
}

# The choice that has this number, or undef.
sub pick ($number, @choices) {
    return $number =~ /^0*[1-9][0-9]{0,5}$/a ? $choices[$number - 1] : undef;
}

my $pid = open2(my $from_engine, my $to_engine, @ARGV ? @ARGV : "login-engine");
my %source = (engine => $from_engine, person => \*STDIN);
binmode $_, ":raw" for $from_engine, $to_engine, \*STDIN;
my %unread = (engine => "", person => "");
my ($screen, $revision);
local $SIG{PIPE} = "IGNORE";    # an engine that has ended is noticed when its lines end
local $SIG{INT} = sub { exit 1 };

END {
    my $status = $?;
    prompt("\n");
    kill TERM => $pid if $pid;
    $? = $status;
}

sub fail ($problem) {
    say STDERR $problem;
    exit 1;
}

# The next line from the engine or the person, without its end.
sub line_from ($name) {
    until ($unread{$name} =~ /\n/) {
        sysread $source{$name}, $unread{$name}, 65536, length $unread{$name} or return;
    }
    (my $line, $unread{$name}) = split /\n/, $unread{$name}, 2;
    return $line;
}

# Waits until a line comes from one of these, and returns whose it is.
sub wait_for (@names) {
    for my $name (@names) {
        return $name if $unread{$name} =~ /\n/;
    }
    my ($ready) = IO::Select->new(@source{@names})->can_read;
    return $ready == $from_engine ? "engine" : "person";
}

# Takes the engine's next line.
sub receive () {
    my $message = $json->decode(line_from("engine") // fail("the engine has stopped"));
    my $content = $message->{params} // $message->{result} // {};
    ($screen, $revision) = @$content{qw(snapshot revision)} if $content->{snapshot};
    fail("the session has ended: $content->{reason}") if ($message->{method} // "") eq "session/closed";
    return $message;
}

# Makes a request, and returns its result. What the engine refuses stays as the engine has it.
sub call ($method, %params) {
    my %request = (jsonrpc => "2.0", id => 1, method => $method, params => { session => "view", %params });
    syswrite $to_engine, $json->encode(\%request) . "\n";
    my $message;
    do { $message = receive } while $message->{method};    # updates come first
    if ($message->{error}) {
        say_all "($message->{error}{message})";
        $screen ? call("session/snapshot") : exit 1;
    }
    return $message->{result} // {};
}

sub prompt ($text, $echo = "echo") {
    system "stty", $echo if -t STDIN;
    print $text;
}

# The line that the person types; the view ends at the end of the input.
sub read_line () {
    return decode "UTF-8", line_from("person") // exit($screen->{scene} ? 0 : 1);
}

# Presses an action, or changes an item.
sub choose ($part) {
    return call("session/perform", action => $part->{id}, revision => $revision) if $part->{role};
    my $value;
    if ($part->{kind} eq "switch") {
        $value = $part->{value} ? JSON::PP::false : JSON::PP::true;
    } elsif ($part->{kind} eq "selection") {
        my @options = @{ call("session/options", item => $part->{id})->{options} // [] };
        say_all "options:", map { "$_ $options[$_ - 1]{title}" } 1 .. @options;
        prompt "number, or nothing for none: ";
        my $option = pick(read_line, @options);
        $value = $option->{id} if $option;
    } else {
        my $is_masked = exists $part->{filled} && $part->{inputType} ne "oneTimeCode";
        prompt $is_masked ? "value (not shown): " : "value: ", $is_masked ? "-echo" : "echo";
        $value = read_line;
    }
    call("session/change", item => $part->{id}, value => $value, revision => $revision);
}

call("session/open", transitions => "instant", supports => ["restoreSecret"]);
while (my @choices = draw($screen)) {
    prompt "> ";
    # A person may choose while something is under way; a script waits.
    if (wait_for(-t STDIN || !$screen->{activity} ? qw(person engine) : "engine") eq "engine") {
        receive;
    } elsif (my $part = pick(read_line, @choices)) {
        choose($part);
    }
}
