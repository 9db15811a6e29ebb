#!/usr/bin/env php
<?php
// A line-based view for login-engine. Usage: view.php [--verify] [ENGINE [ARGUMENT ...]]
declare(strict_types=1);

const OVERLAYS = ['error' => null, 'notice' => null, 'alert' => null, 'scene' => null, 'retryAt' => null, 'focus' => null];

function find(array $parts, mixed $wanted): ?object
{
    return current(array_filter($parts, fn($part) => $part->id === $wanted)) ?: null;
}

/** Updates an object's members. */
function update(?object $part, array|object $members): void
{
    foreach ($members as $name => $value) {
        if ($part && !in_array($name, ['command', 'item', 'action'])) {
            $part->$name = $value;
        }
    }
}

/** Applies a command to a screen. */
function apply(object $screen, object $it): void
{
    $without = fn($parts, $wanted) => array_values(array_filter($parts, fn($part) => $part->id !== $wanted));
    $items = fn() => array_merge(...array_column($screen->sections, 'items'));
    match ($it->command) {
        'showScreen' => update($screen, [...OVERLAYS, 'activity' => false, ...(array) $it]),
        'setState', 'setRetryAt', 'setFocus' => update($screen, $it),
        'showError', 'showNotice', 'showAlert', 'showScene' => update($screen, $it),
        'hideError', 'hideNotice', 'hideAlert' => $screen->{lcfirst(substr($it->command, 4))} = null,
        'showActivity', 'hideActivity' => $screen->activity = $it->command === 'showActivity',
        'setItem' => update(find($items(), $it->item), $it),
        'setAction' => update(find($screen->actions, $it->action), $it),
        'replaceAction' => $screen->actions[array_search($it->action, array_column($screen->actions, 'id'), true)] = $it->newAction,
        'insertSection' => array_splice($screen->sections, $it->index, 0, [$it->newSection]),
        'removeSection' => $screen->sections = $without($screen->sections, $it->section),
        'insertItem' => array_splice(find($screen->sections, $it->section)->items, $it->index, 0, [$it->newItem]),
        'removeItem' => array_map(fn($in) => $in->items = $without($in->items, $it->item), $screen->sections),
        default => null,
    };
}

/** Sorts the members of a JSON value by name, so that two values can be compared. */
function sorted(mixed $it): mixed
{
    if (is_object($it)) {
        $members = array_map('sorted', (array) $it);
        ksort($members);
        return (object) $members;
    }
    return is_array($it) ? array_map('sorted', $it) : $it;
}

/** Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line. */
function say(?string ...$texts): void
{
    $text = implode("\n", array_filter($texts, fn($text) => ($text ?? '') !== ''));
    $text = preg_replace('/[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/u', '�', $text);
    echo str_replace("\n", "\n   ", $text), "\n";
}

/** Formats an item or an action. */
function look(object $part): string
{
    [$title, $value] = [$part->title ?? null, $part->value ?? null];
    if (isset($part->role)) {
        return $part->enabled ? "[$title]" : "($title)";
    }
    switch ($part->kind) {
        case 'switch':
            $value = $value ? '[x]' : '[ ]';
            break;
        case 'selection':
            $value = find($part->options, $value)->title ?? '–';
            break;
        case 'input':
            $empty = $part->placeholder ?? ($part->inputType === 'date' ? 'YYYY-MM-DD' : '–');
            $value = ($value ?? '') === '' ? "($empty)" : $value;
            $value = ($part->filled ?? false) ? '********' : $value;
            break;
        default:
            $value = $part->url ?? $part->text ?? '';
    }
    return implode(': ', array_filter([$title, $value], fn($text) => ($text ?? '') !== ''));
}

/** Prints a screen, and returns the choices, by the number to type. */
function draw(object $screen): array
{
    [$alert, $scene, $choices] = [$screen->alert, $screen->scene, []];
    echo "\n";
    say($scene ? "== scene: {$scene->id}" : "== {$screen->title}", $scene->principal ?? null);
    foreach (array_filter([$alert, $screen->notice, $screen->error]) as $message) {
        say($message->title ?? '', "! {$message->text}");
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
                $choices[count($choices) + 1] = $part;
                $number = count($choices) . '. ';
            }
            $messages = array_map(fn($message) => "! {$message->text}", $part->messages ?? []);
            say($number . look($part), $part->hint ?? '', ...$messages);
        }
    }
    if ($screen->activity) {
        say('...');
    }
    return $choices;
}

/** A session with an engine that this program starts, and its input. */
class View
{
    private $engine, $input, $output;
    private bool $is_terminal;
    private object $screen;
    private ?object $edit = null; // not counted by the engine yet
    private int $revision = 0, $events = 0;
    private bool $is_suspended = false;
    private array $prompted = ['', 'echo'];

    public function __construct(array $command, private bool $is_verifying)
    {
        $this->engine = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes) ?: exit(1);
        [$this->input, $this->output] = $pipes;
        $this->screen = (object) [];
        $this->is_terminal = stream_isatty(STDIN);
        pcntl_async_signals(true);
        foreach ([SIGINT, SIGTERM, SIGHUP, SIGQUIT] as $signal) {
            pcntl_signal($signal, fn() => $this->end(1));
        }
        // These two interrupt `is_ready`.
        pcntl_signal(SIGTSTP, fn() => $this->is_suspended = true);
        pcntl_signal(SIGCONT, fn() => null);
    }

    /** Reads and applies the engine's next line. */
    private function receive(): object
    {
        $this->is_ready($this->output);
        $line = fgets($this->output) ?: $this->end(1, 'the engine has stopped');
        $message = json_decode($line, flags: JSON_THROW_ON_ERROR);
        $content = $message->params ?? $message->result ?? null;
        if ($this->edit && ($content->events ?? 0) > $this->events) { // it is counted; the commands undo a refused edit
            apply($this->screen, $this->edit);
        }
        foreach ($content->commands ?? [] as $it) {
            apply($this->screen, $it);
        }
        $this->revision = $content->revision ?? $this->revision;
        $this->events = $content->events ?? $this->events;
        $snapshot = $content->snapshot ?? $this->screen;
        if ($this->is_verifying && serialize(sorted($snapshot)) !== serialize(sorted($this->screen))) {
            $this->end(1, "the commands do not lead to the snapshot of revision {$this->revision}");
        }
        $this->screen = $snapshot; // includes the effects of commands of later versions
        if (($message->method ?? '') === 'session/closed') {
            $this->end(1, "the session has ended: {$content->reason}");
        }
        return $message;
    }

    /** Sends a request, and returns its result. */
    private function call(string $method, mixed ...$params): ?object
    {
        $request = ['jsonrpc' => '2.0', 'id' => 1, 'method' => $method, 'params' => ['session' => 'view', ...$params]];
        @fwrite($this->input, json_encode($request) . "\n");
        do {
            $message = $this->receive(); // updates come first
        } while (isset($message->method));
        if (isset($message->error)) {
            say("! {$message->error->message}");
        }
        return $message->result ?? null;
    }

    private function set_echo(string $echo): void
    {
        if ($this->is_terminal) {
            // Ctrl-Z must not stop `stty`, which would never end. In the background, turning the echo off stops the view, but turning it on must not.
            pcntl_sigprocmask(SIG_BLOCK, $echo === 'echo' ? [SIGTSTP, SIGTTOU] : [SIGTSTP], $before);
            proc_close(proc_open(['stty', $echo], [STDIN, STDOUT, STDERR], $pipes)); // without a shell, which would unblock the signals
            pcntl_sigprocmask(SIG_SETMASK, $before);
        }
    }

    private function prompt(string $text, string $echo = 'echo'): void
    {
        $this->prompted = [$text, $echo];
        $this->set_echo($echo);
        echo $text;
    }

    /** Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues. */
    private function suspend(): void
    {
        $this->is_suspended = false;
        $this->set_echo('echo');
        pcntl_signal(SIGTSTP, SIG_DFL);
        posix_kill(posix_getpid(), SIGTSTP); // the view stops here, if a shell can continue it
        pcntl_signal(SIGTSTP, fn() => $this->is_suspended = true);
        $this->prompt(...$this->prompted);
    }

    /** Waits for input from any of these streams, and returns whether the first one has some. */
    private function is_ready(...$streams): bool
    {
        do {
            if ($this->is_suspended) {
                $this->suspend();
            }
            [$ready, $none] = [$streams, []];
            // A short timeout: PHP runs the handler of a signal that came just before only after the call.
            $count = @stream_select($ready, $none, $none, 0, 200000);
            if ($count === false) { // there was a signal
                $this->set_echo($this->prompted[1]); // a shell turns the echo on when the view stops
            }
        } while (!$count);
        return in_array($streams[0], $ready);
    }

    /** Reads a line from the person. The view ends at the end of the input. */
    private function read(): string
    {
        $this->is_ready(STDIN); // signals interrupt this, but not fgets
        $line = fgets(STDIN);
        if ($line === false) {
            $this->end($this->screen->scene ? 0 : 1);
        }
        // JSON requires UTF-8.
        return json_decode(json_encode(rtrim($line, "\n"), JSON_INVALID_UTF8_SUBSTITUTE));
    }

    /** Presses an action, or edits an item. */
    private function choose(object $part): void
    {
        if (isset($part->role)) {
            $this->call('session/press', action: $part->id, revision: $this->revision);
            return;
        }
        $is_secret = isset($part->filled);
        if ($part->kind === 'switch') {
            $value = !$part->value;
        } elseif ($part->kind === 'selection') {
            $options = $this->call('session/options', item: $part->id)->options ?? [];
            foreach ($options as $index => $option) {
                say('   ' . $index + 1 . ". {$option->title}");
            }
            do {
                $this->prompt('value: ');
                $line = $this->read();
                $value = ctype_digit($line) ? $options[(int) $line - 1]->id ?? null : null;
                if ($line !== '' && $value === null) {
                    say('! Type one number from 1 to ' . count($options) . ', or nothing for none.');
                }
            } while ($line !== '' && $value === null);
        } else {
            $this->prompt('value: ', $is_secret ? '-echo' : 'echo');
            $value = $this->read();
        }
        $shown = $is_secret ? ['filled' => $value !== ''] : ['value' => $value];
        $this->edit = (object) ['command' => 'setItem', 'item' => $part->id, ...$shown];
        $this->call('session/edit', item: $part->id, value: $value, revision: $this->revision);
        $this->edit = null;
    }

    public function run(): void
    {
        $this->call('session/open', detail: 'full', transitions: 'instant');
        while ($choices = draw($this->screen)) {
            $this->prompt('> ');
            // A person may choose during a request; a script waits.
            $may_choose = $this->is_terminal || !$this->screen->activity;
            if ($this->is_ready($this->output, ...($may_choose ? [STDIN] : []))) {
                $this->receive();
            } elseif ($part = $choices[$this->read()] ?? null) {
                $this->choose($part);
            } else {
                say('! Type one number from 1 to ' . count($choices) . '.');
            }
        }
        $this->end(0);
    }

    /** Restores the terminal and exits. */
    public function end(int $status, string $problem = ''): never
    {
        $this->prompt("\n");
        fwrite(STDERR, $problem === '' ? '' : "$problem\n");
        exit($status);
    }
}

$is_verifying = ($argv[1] ?? '') === '--verify';
(new View(array_slice($argv, $is_verifying ? 2 : 1) ?: ['login-engine'], $is_verifying))->run();
