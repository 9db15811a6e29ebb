#!/usr/bin/env php
<?php
// A view for login-engine, in lines of text. Usage: view.php [ENGINE [ARGUMENT ...]]
declare(strict_types=1);

/** Prints texts, all but the first indented, without what could command the terminal or reorder a line. */
function say(?string ...$texts): void
{
    $text = implode("\n", array_filter($texts, fn($text) => ($text ?? '') !== ''));
    $text = preg_replace('/[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', ' ', $text);
    echo str_replace("\n", "\n   ", $text), "\n";
}

/** An item or an action as text. */
function look(object $part): string
{
    $title = ($part->title ?? '') . (isset($part->required) ? ' *' : '');
    $value = $part->value ?? null;
    if (isset($part->role)) {
        $title = $part->enabled ? $title : "($title)";
        return in_array($part->role, ['primary', 'dismiss', 'destructive']) ? "[ $title ]" : "-> $title";
    }
    switch ($part->kind) {
        case 'switch':
            return '[' . ($value === null ? '-' : ($value ? 'x' : ' ')) . "] $title";
        case 'selection':
            $titles = array_column($part->options, 'title', 'id');
            $value = $titles[$value] ?? '(–)';
            break;
        case 'input':
            $empty = $part->placeholder ?? ($part->inputType === 'date' ? 'YYYY-MM-DD' : '–');
            $value = ($value ?? '') === '' ? "($empty)" : $value;
            $value = ($part->filled ?? false) ? '********' : $value;
            break;
        default:
            $value = $part->url ?? $part->text ?? '';
    }
    return implode(': ', array_filter([$title, $value], fn($text) => $text !== ''));
}

/** Prints a screen, and returns what can be chosen, in the order of the numbers. */
function draw(object $screen): array
{
    [$alert, $scene, $choices] = [$screen->alert, $screen->scene, []];
    echo "\n";
    if ($scene) {
        $data = json_encode($scene->data, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        say("== scene: {$scene->id}", 'principal: ' . ($scene->principal ?? '–'), "data: $data");
    } else {
        say("== {$screen->title}");
    }
    if ($alert) {
        say('alert:', $alert->title, $alert->text);
    }
    $sections = $alert || $scene ? [] : $screen->sections;
    $actions = array_filter(($alert ?? $screen)->actions, fn($action) => $action->enabled || !$scene);
    foreach ([...$sections, (object) ['items' => $actions]] as $section) {
        if (isset($section->title)) {
            say("-- {$section->title}");
        }
        foreach ($section->items as $part) {
            $number = '';
            $is_field = in_array($part->kind ?? '', ['input', 'selection', 'switch']);
            if (isset($part->role) || $is_field && !isset($part->readOnly)) {
                $choices[] = $part;
                $number = count($choices) . '. ';
            }
            $messages = array_map(fn($message) => "! {$message->text}", $part->messages ?? []);
            say($number . look($part), $part->hint ?? '', ...$messages);
        }
    }
    foreach (['notice', 'error'] as $kind) {
        if ($screen->$kind) {
            say("$kind: {$screen->$kind->text}");
        }
    }
    if ($screen->activity) {
        say('working ...');
    }
    return $choices;
}

/** The choice that has this number, or null. */
function pick(array $choices, string $number): ?object
{
    return ctype_digit($number) ? $choices[(int) $number - 1] ?? null : null;
}

/** A session of an engine that this program starts, and the person who types. */
class View
{
    private $engine, $input, $output;
    private bool $is_terminal;
    private ?object $screen = null;
    private int $revision = 0;

    public function __construct(array $command)
    {
        $this->engine = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes) ?: exit(1);
        [$this->input, $this->output] = $pipes;
        $this->is_terminal = stream_isatty(STDIN);
        pcntl_async_signals(true);
        pcntl_signal(SIGINT, fn() => $this->end(1));
    }

    /** Takes the engine's next line. */
    private function receive(): object
    {
        $line = fgets($this->output) ?: $this->end(1, 'the engine has stopped');
        $message = json_decode($line, flags: JSON_THROW_ON_ERROR);
        $content = $message->params ?? $message->result ?? null;
        if (isset($content->snapshot)) {
            [$this->screen, $this->revision] = [$content->snapshot, $content->revision];
        }
        if (($message->method ?? '') === 'session/closed') {
            $this->end(1, "the session has ended: {$content->reason}");
        }
        return $message;
    }

    /** Makes a request, and returns its result. What the engine refuses stays as the engine has it. */
    private function call(string $method, mixed ...$params): ?object
    {
        $request = ['jsonrpc' => '2.0', 'id' => 1, 'method' => $method, 'params' => ['session' => 'view', ...$params]];
        @fwrite($this->input, json_encode($request, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
        do {
            $message = $this->receive(); // updates come first
        } while (isset($message->method));
        if (isset($message->error)) {
            say("({$message->error->message})");
            $this->screen ? $this->call('session/snapshot') : $this->end(1);
        }
        return $message->result ?? null;
    }

    private function prompt(string $text, string $echo = 'echo'): void
    {
        if ($this->is_terminal) {
            system("stty $echo");
        }
        echo $text;
    }

    /** Those of the streams that have something to read, once there is something. */
    private function wait_for(...$streams): array
    {
        $none = [];
        @stream_select($streams, $none, $none, null);
        return $streams;
    }

    /** The line that the person types; the view ends at the end of the input. */
    private function read(): string
    {
        $this->wait_for(STDIN); // Ctrl-C interrupts this, and not fgets
        $line = fgets(STDIN);
        return $line === false ? $this->end($this->screen->scene ? 0 : 1) : rtrim($line, "\n");
    }

    /** Presses an action, or changes an item. */
    private function choose(object $part): void
    {
        if (isset($part->role)) {
            $this->call('session/perform', action: $part->id, revision: $this->revision);
            return;
        }
        if ($part->kind === 'switch') {
            $value = !$part->value;
        } elseif ($part->kind === 'selection') {
            $options = $this->call('session/options', item: $part->id)->options ?? [];
            $titles = array_column($options, 'title');
            say('options:', ...array_map(fn($index, $title) => $index + 1 . " $title", array_keys($titles), $titles));
            $this->prompt('number, or nothing for none: ');
            $value = pick($options, $this->read())->id ?? null;
        } else {
            $is_masked = isset($part->filled) && $part->inputType !== 'oneTimeCode';
            $this->prompt($is_masked ? 'value (not shown): ' : 'value: ', $is_masked ? '-echo' : 'echo');
            $value = $this->read();
        }
        $this->call('session/change', item: $part->id, value: $value, revision: $this->revision);
    }

    public function run(): void
    {
        $this->call('session/open', transitions: 'instant', supports: ['restoreSecret']);
        while ($choices = draw($this->screen)) {
            $this->prompt('> ');
            // A person may choose while something is under way; a script waits.
            $may_choose = $this->is_terminal || !$this->screen->activity;
            $ready = $may_choose ? $this->wait_for(STDIN, $this->output) : $this->wait_for($this->output);
            if (!in_array(STDIN, $ready)) {
                $this->receive();
            } elseif ($part = pick($choices, $this->read())) {
                $this->choose($part);
            }
        }
        $this->end(0);
    }

    /** Leaves the terminal as it was, and no engine behind. */
    public function end(int $status, string $problem = ''): never
    {
        $this->prompt("\n");
        fwrite(STDERR, $problem === '' ? '' : "$problem\n");
        proc_terminate($this->engine);
        exit($status);
    }
}

(new View(array_slice($argv, 1) ?: ['login-engine']))->run();
