import { join } from 'node:path';
import { bootstrap } from '@homeport/dokku';
import {
  instantChanges,
  instantQuestions,
  instantReads,
  instantStreams,
  longestSocketPathBytes,
  ownPlugin,
} from './program/front-commands.ts';

/**
 * The programs in a sandbox's bin folder, as text. sshd passes no environment on, so each program contains the sandbox's folder.
 */
export function standIns(root: string): Record<string, string> {
  const program = `${shellWord(process.execPath)} ${shellWord(join(root, 'program.cjs'))}`;
  const run = `exec ${program}`;
  // Node would parse all these certificates at each start, which takes longer than everything else. The sandbox needs none.
  const start = `unset NODE_EXTRA_CA_CERTS\n${run}`;
  /** Leaves what ends at once to the front, which runs already. `ask-front.pl` starts the program where the front does not answer. */
  const askFor = (role: string, names: readonly string[]) => `unset NODE_EXTRA_CA_CERTS
if [ "$1" = --quiet ]; then asked=\${2:-}; else asked=$1; fi
case $asked in
  ${names.join(' | ')})
    if command -v perl >/dev/null 2>&1; then
      # No word about a locale that the machine does not have.
      PERL_BADLANG=0
      export PERL_BADLANG
      exec perl ${shellWord(join(root, 'ask-front.pl'))} ${program} ${role} "$@"
    fi
    ;;
esac
`;
  const bin = shellWord(join(root, 'bin'));
  const head = `#!/bin/sh\nDOKKU_SANDBOX_ROOT=${shellWord(root)}\nexport DOKKU_SANDBOX_ROOT\n`;
  const path = `PATH=${bin}:$PATH\nexport PATH\n`;
  return {
    dokku: `${head}${path}${askFor('dokku', [...instantReads, ...instantChanges, ownPlugin])}${start} dokku "$@"\n`,
    'dokku-key': `${head}${path}${start} key "$@"\n`,
    docker: `${head}${askFor('docker', [...instantQuestions, ...instantStreams])}${start} docker "$@"\n`,
    ufw: `${head}${ufw}`,
    sudo: `${head}${path}${sudo}`,
    runuser: `${head}${path}${runuser}`,
    wget: `${head}${wget}`,
    du: `${head}${du}`,
    git: `${head}${git}`,
    plugn: `${head}${plugn}`,
    stat: `${head}${stat}`,
    crontab: `${head}${crontab}`,
    rclone: `${head}${rclone}`,
    'apt-get': `${head}${aptGet}`,
    'sandbox-keep': `#!/bin/sh\nroot=${shellWord(root)}\n${insideOnly}${run} keep "$@"\n`,
  };
}

/**
 * Asks the front for a command (the exchange: `answer-commands.ts`). Perl is on every Debian, starts in two milliseconds and needs no
 * module for a socket. A closed reader ends the command with Dokku's exit code, 128 + SIGPIPE, as it ends the program.
 */
export const askFront = `my ($node, $program, $role, @words) = @ARGV;
my $path = "$ENV{DOKKU_SANDBOX_ROOT}/answers";
delete $ENV{PERL_BADLANG};
sub start { $SIG{PIPE} = 'DEFAULT'; exec { $node } $node, $program, $role, @words; exit 127 }
sub put {
  my ($stream, $text) = @_;
  my $at = 0;
  while ($at < length $text) {
    my $written = syswrite $stream, $text, length($text) - $at, $at;
    exit 141 unless defined $written;
    $at += $written;
  }
}
$SIG{PIPE} = 'IGNORE';
start() if length $path > ${longestSocketPathBytes};
my ($unix, $streaming, $front) = (1, 1);
start() unless socket($front, $unix, $streaming, 0) && connect $front, pack('S a108', $unix, $path);
my $request = join '', map { "$_\\0" } $role, $ENV{DOKKU_SANDBOX_AS} // '', $ENV{PATH} // '', @words;
$request = length($request) . "\\n$request";
start() unless (syswrite($front, $request) // 0) == length $request;
my $reply = '';
sub take {
  my ($bytes) = @_;
  while (length $reply < $bytes) { sysread $front, $reply, 65536, length $reply or return }
  return substr $reply, 0, $bytes, '';
}
sub line {
  my $end;
  while (($end = index $reply, "\\n") < 0) { sysread $front, $reply, 65536, length $reply or return }
  return substr take($end + 1), 0, -1;
}
sub run {
  my @parts = split /\\0/, $_[0], -1;
  pop @parts;
  my @variables;
  push @variables, shift @parts while $parts[0] ne '';
  shift @parts;
  my $child = fork;
  exit 1 unless defined $child;
  if ($child == 0) {
    $SIG{PIPE} = 'DEFAULT';
    /^([^=]+)=(.*)$/s and $ENV{$1} = $2 for @variables;
    exec { $parts[0] } @parts;
    exit 127;
  }
  waitpid $child, 0;
  syswrite $front, ($? & 127 ? 128 : $? >> 8) . "\\n";
}
sub give {
  my $input = '';
  if (-c STDIN) { put($front, "no\\n"); return }
  1 while sysread STDIN, $input, 65536, length $input;
  put($front, "yes\\n" . length($input) . "\\n$input");
}
my @told;
my $begun;
sub show { put($_->[0] == 1 ? *STDOUT : *STDERR, $_->[1]) for splice @told }
while (defined(my $line = line())) {
  my ($what, $number) = split / /, $line;
  if ($what eq 'exit') { show(); exit $number }
  if ($what eq 'begun') { $begun = 1; next }
  if ($what eq 'stdin') { $begun = 1; give(); next }
  my $body = take($number);
  last unless defined $body;
  if ($what eq 'run') { show(); run($body) } else { push @told, [$what, $body] }
  show() if $begun;
}
start() unless $begun;
print STDERR "The sandbox's front ended before the command did.\\n";
exit 1;
`;

/** Takes the sandbox's programs out of PATH, so that the next name is the machine's own. The shell does it alone: sed starts a process for each call. */
const outside = `while :; do
  case $PATH in
    *"$DOKKU_SANDBOX_ROOT"/bin:*) PATH=\${PATH%%"$DOKKU_SANDBOX_ROOT"/bin:*}\${PATH#*"$DOKKU_SANDBOX_ROOT"/bin:} ;;
    *) break ;;
  esac
done`;

/** Answers `status` from the file `ufw`: no file means not installed, an empty file inactive, else the file's text. */
const ufw = `file=$DOKKU_SANDBOX_ROOT/ufw
if [ ! -e "$file" ]; then
  echo 'ufw: command not found' >&2
  exit 127
fi
if [ "$1" != status ]; then
  echo 'ERROR: Invalid syntax' >&2
  exit 1
fi
if [ -s "$file" ]; then cat "$file"; else echo 'Status: inactive'; fi
`;

/** Takes \`-n\`, \`-u user\`, \`-H\` and a command, and becomes no other user. Refuses a call without \`-n\`, because it cannot ask for a password. */
const sudo = `unset DOKKU_SANDBOX_AS
while [ $# -gt 0 ]; do
  case $1 in
    -n | -H | -E) shift ;;
    -u)
      if [ "$2" = dokku ]; then
        DOKKU_SANDBOX_AS=dokku
        export DOKKU_SANDBOX_AS
      fi
      shift 2
      ;;
    --) shift; break ;;
    -*)
      echo "sudo: invalid option $1" >&2
      exit 1
      ;;
    *) break ;;
  esac
done
if [ -e "$DOKKU_SANDBOX_ROOT/faults/sudo" ]; then
  echo 'sudo: a password is required' >&2
  exit 1
fi
if ! command -v "$1" >/dev/null 2>&1; then
  echo "sudo: $1: command not found" >&2
  exit 1
fi
exec "$@"
`;

/** Takes \`-u dokku --\` and a command, and becomes no other user. Passes every other call to the real runuser. */
const runuser = `if [ "$1 \${2:-} \${3:-}" != '-u dokku --' ]; then
  ${outside}
  exec runuser "$@"
fi
shift 3
exec "$@"
`;

/** Answers the installer's address with the sandbox's installer. Passes every other address to the real wget. */
const wget = `if [ "$1" = -qO ] && [ "$3" = ${bootstrap.bootstrapUrl} ]; then
  if [ -e "$DOKKU_SANDBOX_ROOT/faults/download" ]; then exit 4; fi
  exec cp "$DOKKU_SANDBOX_ROOT/bootstrap.sh" "$2"
fi
${outside}
exec wget "$@"
`;

/** Starts services that outlive the session, so only a caller who knows this sandbox may use it. */
const insideOnly = `if [ "\${DOKKU_SANDBOX_ROOT:-}" != "$root" ]; then
  echo 'sandbox-keep: not inside the sandbox: DOKKU_SANDBOX_ROOT is another one or not set' >&2
  exit 2
fi
`;

/** Finds /var/lib/dokku/data/storage inside the sandbox, and prints the real name. Passes every other call to the real du. */
const du = `${outside}
export PATH
case $1$2$3 in
  -sb--/var/lib/dokku/data/storage/*)
    folder=$DOKKU_SANDBOX_ROOT/lib/data/storage/\${3#/var/lib/dokku/data/storage/}
    if [ ! -e "$folder" ]; then
      echo "du: cannot access '$3': No such file or directory" >&2
      exit 1
    fi
    bytes=$(du -sb -- "$folder") || exit 1
    printf '%s\\t%s\\n' "\${bytes%%[!0-9]*}" "$3"
    exit 0
    ;;
esac
exec du "$@"
`;

/** Finds /home/dokku inside the sandbox. Passes every other call to the real git. */
const git = `${outside}
export PATH
case $1 in
  --git-dir=/home/dokku/*)
    app=\${1#--git-dir=/home/dokku/}
    shift
    exec git -c safe.directory='*' "--git-dir=$DOKKU_SANDBOX_ROOT/home/$app" "$@"
    ;;
  --git-dir="$DOKKU_SANDBOX_ROOT"/dokku-files-*/home/*)
    app=\${1##*/}
    shift
    exec git -c safe.directory='*' "--git-dir=$DOKKU_SANDBOX_ROOT/home/$app" "$@"
    ;;
esac
exec git "$@"
`;

/**
 * `plugn trigger <name> <argument>…`: runs the trigger of each enabled plugin that has files, as plugn(1) does. Core's own
 * `scheduler-cron-write` asks for the lines of all plugins and writes the crontab of dokku, in the form of Dokku 0.38.27. A blank
 * line ends what Dokku reads.
 */
const plugn = `[ "$1" = trigger ] || exit 1
name=$2
shift 2
each() {
  trigger_name=$1
  shift
  for trigger in "$DOKKU_SANDBOX_ROOT"/machine/var/lib/dokku/plugins/enabled/*/"$trigger_name"; do
    if [ -x "$trigger" ]; then "$trigger" "$@"; fi
  done
}
each "$name" "$@"
[ "$name $1" = 'scheduler-cron-write docker-local' ] || exit 0
if [ -e "$DOKKU_SANDBOX_ROOT/faults/crontab" ]; then
  echo ' !     Unable to update schedule file: crontab: installing new crontab failed' >&2
  exit 1
fi
new=$DOKKU_SANDBOX_ROOT/crontab.$$
printf 'PATH=/usr/local/bin:/usr/bin:/bin\\nSHELL=/bin/bash\\n\\n' >"$new"
each cron-entries docker-local | while IFS=';' read -r schedule command file; do
  [ -n "$schedule" ] || break
  if [ -n "$file" ]; then echo "$schedule $command &>> $file"; else echo "$schedule $command"; fi
done >>"$new"
if [ "$(wc -l <"$new")" -gt 3 ]; then mv "$new" "$DOKKU_SANDBOX_ROOT/crontab"; else rm -f "$new" "$DOKKU_SANDBOX_ROOT/crontab"; fi
`;

/** `crontab -l` of the user dokku. The sandbox has no cron: whoever wants a line to run starts its command. */
const crontab = `if [ "$1" != -l ]; then
  echo 'crontab: this sandbox only lists it' >&2
  exit 1
fi
cat "$DOKKU_SANDBOX_ROOT/crontab" 2>/dev/null || { echo 'no crontab for dokku' >&2; exit 1; }
`;

/** The machine's own rclone, once apt-get has "installed" it. */
const rclone = `${outside}
export PATH
if [ ! -e "$DOKKU_SANDBOX_ROOT/rclone" ]; then
  echo 'rclone: command not found' >&2
  exit 127
fi
exec rclone "$@"
`;

/** Installs rclone, which makes the machine's own one answer, and nothing else. */
const aptGet = `${outside}
for word in "$@"; do last=$word; done
case $1 in
  update) exit 0 ;;
  install) ;;
  *) echo "E: Invalid operation $1" >&2; exit 100 ;;
esac
if [ -e "$DOKKU_SANDBOX_ROOT/faults/dpkg-lock" ]; then
  echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4242 (unattended-upgr)' >&2
  exit 100
fi
if [ "$last" != rclone ] || ! command -v rclone >/dev/null; then
  echo "E: Unable to locate package $last" >&2
  exit 100
fi
: >"$DOKKU_SANDBOX_ROOT/rclone"
echo 'Setting up rclone ...'
`;

/** Finds the files by which Dokku shows that something changed inside the sandbox, and prints their real names. */
const stat = `${outside}
export PATH
case "$1 $2 $3 \${4:-}" in
  '-c %n %y -- /var/lib/dokku/'*) ;;
  *) exec stat "$@" ;;
esac
shift 3
ended=0
read -r version <"$DOKKU_SANDBOX_ROOT/version" 2>/dev/null || version=
for name in "$@"; do
  app=\${name#/var/lib/dokku/config/*/}
  app=\${app%%/*}
  case $version:$name in
    0.3[0-7].*:/var/lib/dokku/data/builds*) file=/nowhere ;;
    *:/var/lib/dokku/data/builds*) file=$DOKKU_SANDBOX_ROOT/builds\${name#/var/lib/dokku/data/builds} ;;
    *:/var/lib/dokku/config/*) file=$DOKKU_SANDBOX_ROOT/apps/$app.json ;;
    *) file=$name ;;
  esac
  if ! time=$(stat -c %y -- "$file" 2>/dev/null); then
    echo "stat: cannot statx '$name': No such file or directory" >&2
    ended=1
    continue
  fi
  echo "$name $time"
done
exit $ended
`;

/** Prints what the real installer prints, and "installs" Dokku by the program \`dokku\` in bin. */
export function installer(root: string, pace: number): string {
  return `#!/bin/bash
# Stand-in for Dokku's bootstrap.sh: installs nothing but this sandbox's own dokku.
set -eo pipefail
root=${shellWord(root)}
pace=${pace}
wait_for() { sleep "$(awk -v s="$1" -v p="$pace" 'BEGIN { print s * p }')"; }
main() {
  if [ -e "$root/faults/hostname" ]; then
    echo 'This installation script requires that you have a hostname set for the instance. Please set a hostname for 127.0.0.1 in your /etc/hosts' >&2
    exit 1
  fi
  if [ -e "$root/faults/unsupported-os" ]; then
    echo 'Unsupported Linux distribution. Only the following versions are supported: Debian [11, 12, 13], Ubuntu [22.04, 24.04]' >&2
    exit 1
  fi
  echo "Preparing to install \${DOKKU_TAG:-} from \${DOKKU_REPO:-https://github.com/dokku/dokku.git}..."
  echo '--> Ensuring we have the proper dependencies'
  wait_for 20
  if [ -e "$root/faults/dpkg-lock" ]; then
    echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4242 (unattended-upgr)' >&2
    echo 'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?' >&2
    exit 100
  fi
  if [ ! -e "$root/bin/dokku" ]; then
    echo '--> Note: Installing dokku for the first time will result in removal of'
    echo '    files in the nginx '"'sites-enabled'"' directory. Please manually'
    echo '    restore any files that may be removed after the installation and'
    echo '    web setup is complete.'
    echo ''
    echo '    Installation will continue in 10 seconds.'
    wait_for 10
  fi
  echo '--> Installing docker'
  wait_for 60
  echo '--> Installing dokku'
  wait_for 90
  echo 'Setting up dokku user' >&2
  echo 'Enabling all core plugins' >&2
  echo 'Install all core plugins' >&2
  wait_for 30
  cp "$root/dokku.stand-in" "$root/bin/dokku.new"
  chmod 755 "$root/bin/dokku.new"
  mv "$root/bin/dokku.new" "$root/bin/dokku"
  if [ -n "\${DOKKU_TAG:-}" ]; then printf '%s\\n' "\${DOKKU_TAG#v}" > "$root/version"; fi
  if [ "\${DOKKU_VHOST_ENABLE:-}" = true ] && [ -n "\${DOKKU_HOSTNAME:-}" ]; then
    "$root/bin/dokku" domains:set-global "$DOKKU_HOSTNAME"
  fi
  echo '--> Running post-install dependency installation'
  wait_for 30
}
main "$@"
`;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
