package Devel::Dapwright;

# A debug adapter inside a Perl program: perl -I THIS_FOLDER -d:Dapwright=PORT PROGRAM [ARGUMENT...]
#
# Listens on PORT of the loopback and speaks the Debug Adapter Protocol with the one client
# that comes, before the program's first statement. Perl 5.10 or newer, its core modules alone;
# with PadWalker the variables of outer frames are seen too.
#
# All that runs while the program stands is in package DB: perl does not debug that package,
# and a string evaluated there sees the variables of the innermost frame outside of it.

sub import {
    my ($class, $port) = @_;
    DB::wait_for_client($port);
}

package DB;

use strict;
use warnings;

our ($flags, $walks);
BEGIN { $DB::flags = $^P; $^P = 0; }    # these modules are not the program
use B ();
use Cwd ();
use IO::Socket::INET ();
use JSON::PP ();
use Scalar::Util ();
use Time::HiRes ();
BEGIN { $DB::walks = eval { require PadWalker; 1 }; }
BEGIN { $^P = $DB::flags & ~0x01; }     # statements, yes; calls need no hook of ours

our ($client, $json, $folder, $sequence, %breakpoints, @references) = (undef, undef, Cwd::getcwd(), 0);
our ($mode, $start_depth, $standing, $resumed, $uncaught, $then, $problem) = ('run', 0, 0, 0, 1, undef, '');
our ($left, $stride, $looked) = (1, 1, 0);
our ($code, @result, $failure, $package);

sub send_message {
    my ($message) = @_;
    $message->{seq} = ++$sequence;
    my $body = $json->encode($message);
    local ($!, $@);
    print {$client} 'Content-Length: ' . length($body) . "\r\n\r\n" . $body;
}

sub tell_event {
    my ($name, $body) = @_;
    send_message({ type => 'event', event => $name, body => $body || {} });
}

sub receive {
    local $/ = "\n";
    my $length = 0;
    while (defined(my $line = <$client>)) {
        $length = $1 if $line =~ /^Content-Length:\s*(\d+)/i;
        next unless $line =~ /^\r?\n$/;
        my $body = '';
        while (length($body) < $length) {
            read($client, $body, $length - length($body), length($body)) or last;
        }
        return $json->decode($body);
    }
    require POSIX;
    POSIX::_exit(1);    # nobody debugs any more: the program was started for it
}

sub path_of {
    my ($file) = @_;
    return $file =~ m{^/} ? $file : $file =~ /^\(eval/ ? '' : "$folder/$file";
}

# The program's frames, the innermost first: {level, file, line, name, sub}.
sub frames {
    my (@found, $name);
    for (my $level = 0; my @info = caller($level); $level++) {
        my ($caller, $file, $line, $sub) = @info;
        if (@found) { $found[-1]{name} = $found[-1]{name} || $sub }
        elsif ($sub !~ /^DB::/) { $name = $sub }
        next if $caller eq 'DB' || $caller eq 'Devel::Dapwright';
        if (@found && $sub eq '(eval)') { $found[-1]{name} = ''; }
        push @found, { level => $level, file => path_of($file), line => $line, package => $caller, name => '' };
    }
    $found[-1]{name} ||= '<main>' if @found;
    return grep { $_->{file} } @found;
}

sub depth {
    my $level = 0;
    $level++ while caller($level);
    return $level;
}

sub show {
    my ($value, $inner) = @_;
    return 'undef' unless defined $value;
    if (!ref $value) {
        return "$value" if "$value" =~ /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
        (my $text = $value) =~ s/([\\'])/\\$1/g;
        return "'$text'";
    }
    my ($kind, $class) = (Scalar::Util::reftype($value), Scalar::Util::blessed($value));
    my $label = defined $class ? "$class " : '';
    if ($kind eq 'ARRAY') {
        return $label . '[...]' if $inner && @$value;
        my $last = $#$value > 7 ? 7 : $#$value;
        return $label . '[' . join(', ', map({ show($_, 1) } @$value[0 .. $last]), $#$value > 7 ? '...' : ()) . ']';
    }
    if ($kind eq 'HASH') {
        return $label . '{...}' if $inner && %$value;
        my @keys = sort keys %$value;
        my @few = @keys > 8 ? @keys[0 .. 7] : @keys;
        return $label . '{' . join(', ', map({ "$_ => " . show($value->{$_}, 1) } @few), @keys > 8 ? '...' : ()) . '}';
    }
    return $label . '\\' . show($$value, 1) if $kind eq 'SCALAR' || $kind eq 'REF';
    return "$value";
}

sub reference { push @references, $_[0]; return scalar @references; }

sub variable {
    my ($name, $value, $expression) = @_;
    my $kind = ref $value ? Scalar::Util::reftype($value) : '';
    my $children = ($kind eq 'ARRAY' && @$value) || ($kind eq 'HASH' && %$value) || ($kind eq 'REF') ? 1 : 0;
    return {
        name => $name, value => show($value), type => ref($value) || 'scalar',
        variablesReference => $children ? reference({ value => $value, expression => $expression }) : 0,
        $expression ? (evaluateName => $expression) : (),
    };
}

# The arguments of the innermost call of the program, which are its @_.
sub arguments {
    my $level = 0;
    while (my @info = caller($level++)) { last if $info[0] ne 'DB' && $info[0] ne 'Devel::Dapwright' }
    my @info = caller($level);
    return $info[4] ? @DB::args : ();
}

# Run $DB::code where the program stands; no variable of ours may be in sight here, and @_ is the program's.
sub run_code { @DB::result = eval $DB::code; $DB::failure = $@; }

# Evaluate in the innermost frame; (1, value) or (0, what went wrong).
sub evaluate {
    my ($text) = @_;
    my $many = $text =~ /^\s*[\@]/ ? "[$text]" : $text =~ /^\s*%/ ? "+{$text}" : "scalar(do { $text })";
    local $code = "package $package; use strict; no warnings; $many";
    local ($SIG{__DIE__}, $SIG{__WARN__}, $@, $!);
    run_code(arguments());
    (my $said = $failure) =~ s/ at \(eval \d+\)(?:\[[^\]]*\])? line \d+.*//s if $failure;
    return $failure ? (0, $said) : (1, $result[0]);
}

# The lexical variables of a frame by name, each a reference.
sub lexicals {
    my ($frame) = @_;
    my %found;
    if (!$frame->{innermost}) {
        die "without the module PadWalker only the innermost frame's variables are seen\n" unless $walks;
        my $level = 0;
        while (my @info = caller($level)) {
            last if $info[0] ne 'DB' && path_of($info[1]) eq $frame->{file} && $info[2] == $frame->{line};
            $level++;
        }
        my $seen = PadWalker::peek_my($level + 1);
        return %$seen;
    }
    my $name = $frame->{name};
    my $sub = $name && $name ne '<main>' && $name !~ /__ANON__|\(eval\)/ ? do { no strict 'refs'; \&{$name} } : undef;
    my $cv = $sub ? B::svref_2object($sub) : B::main_cv();
    my @names = eval { map { $_->can('PV') ? $_->PV : () } grep { ref $_ ne 'B::SPECIAL' } $cv->PADLIST->ARRAYelt(0)->ARRAY };
    for my $lexical (grep { defined && /^[\$\@%]\w/ } @names) {
        my ($ok, $value) = evaluate("\\$lexical");
        $found{$lexical} = $value if $ok;
    }
    return %found;
}

our %requests = (
    initialize => sub {
        return {
            supportsConfigurationDoneRequest => JSON::PP::true(), supportsEvaluateForHovers => JSON::PP::true(),
            supportsExceptionInfoRequest => JSON::PP::true(), supportsTerminateRequest => JSON::PP::true(),
            exceptionBreakpointFilters => [ { filter => 'uncaught', label => 'Uncaught exceptions' } ],
        };
    },
    launch => sub {
        $mode = 'entry' if $_[0]{stopOnEntry};
        $then = sub { tell_event('initialized') };
        return {};
    },
    setBreakpoints => sub {
        my ($ask) = @_;
        my @lines = map { $_->{line} } @{ $ask->{breakpoints} || [] };
        $breakpoints{ $ask->{source}{path} } = { map { $_ => 1 } @lines };
        delete $breakpoints{ $ask->{source}{path} } unless @lines;
        return { breakpoints => [ map { { verified => JSON::PP::true(), line => $_ } } @lines ] };
    },
    setExceptionBreakpoints => sub {
        $uncaught = grep { $_ eq 'uncaught' } @{ $_[0]{filters} || [] };
        return {};
    },
    configurationDone => sub { $resumed = 1; return {} },
    threads => sub { return { threads => [ { id => 1, name => 'main' } ] } },
    stackTrace => sub {
        my ($ask) = @_;
        my @all = frames();
        $all[0]{innermost} = 1 if @all;
        my ($first, $number) = ($ask->{startFrame} || 0, $ask->{levels} || scalar @all);
        my $last = $first + $number - 1 < $#all ? $first + $number - 1 : $#all;
        return {
            totalFrames => scalar @all,
            stackFrames => [
                map {
                    (my $short = $_->{file}) =~ s{.*/}{};
                    (my $name = $_->{name}) =~ s/^main:://;
                    { id => reference($_), name => $name || '<eval>', line => $_->{line} + 0, column => 0,
                        source => { path => $_->{file}, name => $short } };
                } @all[ $first .. $last ]
            ],
        };
    },
    scopes => sub {
        my $frame = $references[ $_[0]{frameId} - 1 ];
        return { scopes => [ { name => 'Locals', presentationHint => 'locals', expensive => JSON::PP::false(),
            variablesReference => reference({ frame => $frame }) } ] };
    },
    variables => sub {
        my $held = $references[ $_[0]{variablesReference} - 1 ];
        my @found;
        if ($held->{frame}) {
            my %lexicals = lexicals($held->{frame});
            for my $name (sort keys %lexicals) {
                my $value = $name =~ /^\$/ ? ${ $lexicals{$name} } : $lexicals{$name};
                push @found, variable($name, $value, $name);
            }
        } else {
            my ($value, $at) = ($held->{value}, $held->{expression});
            $at = !$at ? '' : $at =~ /^[\@%](\w+)$/ ? "\$$1" : "$at->";
            my $kind = Scalar::Util::reftype($value);
            if ($kind eq 'ARRAY') {
                push @found, map { variable("[$_]", $value->[$_], $at && $at . "[$_]") } 0 .. $#$value;
            } elsif ($kind eq 'HASH') {
                push @found, map { variable($_, $value->{$_}, $at && $at . '{' . show("$_ ") =~ s/ '$/'/r . '}') } sort keys %$value;
            } else {
                push @found, variable('->', $$value);
            }
        }
        my ($first, $number) = ($_[0]{start} || 0, $_[0]{count} || scalar @found);
        my $last = $first + $number - 1 < $#found ? $first + $number - 1 : $#found;
        return { variables => [ @found[ $first .. $last ] ] };
    },
    evaluate => sub {
        my ($ask) = @_;
        my $frame = $ask->{frameId} ? $references[ $ask->{frameId} - 1 ] : undef;
        die "perl evaluates in the innermost frame alone\n" if $frame && !$frame->{innermost};
        my ($ok, $value) = evaluate($ask->{expression});
        die "$value\n" unless $ok;
        my $told = variable('', $value);
        return { result => $told->{value}, type => $told->{type}, variablesReference => $told->{variablesReference} };
    },
    exceptionInfo => sub {
        return { exceptionId => ref $problem || 'die', description => "$problem", breakMode => 'unhandled' };
    },
    pause => sub { $mode = 'pause'; return {} },
    terminate => sub { $then = sub { require POSIX; POSIX::_exit(143) }; return {} },
);
$requests{disconnect} = $requests{terminate};
for my $pair ([ continue => 'run' ], [ next => 'over' ], [ stepIn => 'into' ], [ stepOut => 'out' ]) {
    my ($command, $kind) = @$pair;
    $requests{$command} = sub { $mode = $kind; $resumed = 1; return { allThreadsContinued => JSON::PP::true() } };
}
our %looking = map { $_ => 1 } qw(stackTrace scopes variables evaluate exceptionInfo);

sub serve {
    my ($message) = @_;
    my $command = $message->{command} || '';
    my $answer = { type => 'response', request_seq => $message->{seq}, command => $command, success => JSON::PP::false() };
    local $@;
    $then = undef;
    if (!$requests{$command}) {
        $answer->{message} = "this agent does not know the request `$command`";
    } elsif ($looking{$command} && !$standing) {
        $answer->{message} = 'the program is running';
    } else {
        my $body = eval { $requests{$command}->($message->{arguments} || {}) };
        if ($body) { @$answer{qw(success body)} = (JSON::PP::true(), $body) }
        else { ($answer->{message} = "$@") =~ s/\n\z// }
    }
    send_message($answer);
    $then->() if $then;
}

sub stand {
    my ($reason, $text) = @_;
    local ($@, $!, $,, $\, $/, $_) = ($@, $!, undef, undef, "\n", undef);
    local $SIG{__DIE__};
    ($standing, $resumed, @references) = (1, 0);
    tell_event('stopped', { reason => $reason, threadId => 1, allThreadsStopped => JSON::PP::true(),
        defined $text ? (text => $text, description => $text) : () });
    serve(receive()) until $resumed;
    ($standing, @references) = (0);
    $start_depth = depth();
}

# A request is looked for every 20 ms: at each statement of a program that waits, at fewer of a busy one.
sub look {
    my $now = Time::HiRes::time();
    my $late = $now - $looked >= 0.02 || $now < $looked;
    $left = $stride = $late ? 1 : $stride >= 16 ? 16 : $stride * 2;
    return if !$late;
    $looked = $now;
    my $bits = '';
    vec($bits, fileno($client), 1) = 1;
    serve(receive()) if select($bits, undef, undef, 0);
}

# Perl calls this before every statement of the program.
sub DB {
    return if $standing || !$client;
    my ($here, $file, $line) = caller;
    look() if --$left <= 0;
    my $reason;
    if ($mode ne 'run') {
        my $now = $mode eq 'over' || $mode eq 'out' ? depth() + 1 : 0;
        $reason = $mode eq 'into' ? 'step' : $mode eq 'over' ? ($now <= $start_depth && 'step')
            : $mode eq 'out' ? ($now < $start_depth && 'step') : $mode;
    }
    if (!$reason && %breakpoints) {
        my $lines = $breakpoints{ path_of($file) };
        $reason = 'breakpoint' if $lines && $lines->{$line};
    }
    return unless $reason;
    $package = $here;
    stand($reason);
}

sub wait_for_client {
    my ($port) = @_;
    $json = JSON::PP->new->utf8->allow_nonref->allow_unknown->allow_blessed;
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 1, ReuseAddr => 1)
        or die "cannot listen on port $port: $!\n";
    $client = $listener->accept or die "nobody came: $!\n";
    close $listener;
    binmode $client;
    $client->autoflush(1);
    STDOUT->autoflush(1);
    $SIG{__DIE__} = sub {
        return if $^S || !defined $^S || !$uncaught || $standing;
        ($problem, $package) = ($_[0], scalar caller);
        (my $text = "$problem") =~ s/\n\z//;
        stand('exception', $text);
        $mode = 'run';
    };
    serve(receive()) until $resumed;
}

1;
