import { consoleUser } from '@homeport/contract/connections/facts';
import { type Command, hostCommand } from '@homeport/dokku';

export type AccountPlaces = {
  user: string;
  /** Root owns it, so that the account can put no link there for root to follow. */
  home: string;
  /** sudoers(5) reads every file in this folder whose name has no dot. */
  sudoers: string;
  /**
   * Where earlier consoles put the home, owned by the account. A console on that machine keeps its data there
   * too.
   */
  formerHome: string;
};

const places: AccountPlaces = {
  user: consoleUser,
  home: '/var/lib/homeport-account',
  sudoers: '/etc/sudoers.d',
  formerHome: '/var/lib/homeport',
};

export const notPossible = 3;

/**
 * Makes the console’s own account. It logs in with the credential’s public key (on stdin, into
 * authorized_keys with `restrict,pty`, sshd(8)): a terminal, on which followed logs end with their channel, and
 * no forwarding. Its variables stay behind: SETENV would let bash read a program of the account's choice as dokku (BASH_ENV).
 * It may become the user dokku for `/usr/bin/dokku` and for kill(1), which ends a command of
 * dokku’s, and for nothing else (sudoers(5)). Safe to repeat. Exit code 3: the server does not let this account in (AllowUsers, no
 * sudo), or an account of this name is somebody else’s; nothing was changed.
 */
export function makeConsoleAccount(publicKey: string, at = places): Command {
  return accountCommand(makeProgram, at, `${publicKey}\n`);
}

/**
 * Gives an account that an earlier console made the terminal, the kill(1) and the narrower rule that `makeConsoleAccount` gives now.
 * The key in its line stays. Prints `renewed`, or nothing where nothing has to change.
 */
export function renewConsoleAccount(at = places): Command {
  return accountCommand(renewProgram, at);
}

/** Ends with 0 if the account can run Dokku the way app actions do. */
export function tryConsoleAccount(): Command {
  return hostCommand(
    ['runuser', '-u', consoleUser, '--', 'sudo', '-n', '-u', 'dokku', '-H', 'dokku', 'version'],
    { needsRoot: true },
  );
}

/**
 * Takes away the account’s login key and its sudo rule. The account stays, because the agent runs under it.
 * If `.ssh` is a link, the link itself is removed: rm(1) follows none with -r.
 */
export function closeConsoleAccount(at = places): Command {
  return hostCommand(
    ['rm', '-rf', `${at.home}/.ssh`, `${at.formerHome}/.ssh`, `${at.sudoers}/${consoleUser}`],
    { needsRoot: true },
  );
}

/** Removes the account, its key and its sudo rule. An account of this name that is somebody else’s stays. */
export function removeConsoleAccount(at = places): Command {
  return accountCommand(removeProgram, at);
}

function accountCommand(program: string, at: AccountPlaces, stdin?: string): Command {
  const words = ['sh', '-c', program, 'homeport-account', at.user, at.home, at.sudoers, at.formerHome];
  return hostCommand(words, { needsRoot: true, ...(stdin !== undefined && { stdin }) });
}

/**
 * Sets `known` to the home of an account of this name, and defines whether that account is ours. The agent
 * makes the account without a home.
 */
const judgeAccount = `set -euf
user=$1
home=$2
sudoers=$3
former=$4
known=$(getent passwd "$user" | cut -d: -f6)
is_ours() {
  case $known in
    '' | "$home" | /nonexistent) ;;
    "$former") [ ! -e "$known/secret" ] ;;
    *) return 1 ;;
  esac
}
is_our_rule() {
  # With SETENV: the line of earlier consoles.
  [ ! -e "$sudoers/homeport" ] || grep -qxF -e "$user ALL=(dokku) NOPASSWD: /usr/bin/dokku" -e "$user ALL=(dokku) NOPASSWD:SETENV: /usr/bin/dokku" "$sudoers/homeport"
}
write_rule() {
  {
    printf '%s ALL=(dokku) NOPASSWD: /usr/bin/dokku\\n' "$user"
    printf '%s ALL=(dokku) NOPASSWD: /bin/kill, /usr/bin/kill\\n' "$user"
  } >"$sudoers/.homeport.new"
  chmod 0440 "$sudoers/.homeport.new"
  visudo -cqf "$sudoers/.homeport.new"
  mv -fT "$sudoers/.homeport.new" "$sudoers/homeport"
}
leave_former_home() {
  [ "$known" = "$former" ] || return 0
  rm -rf "$known/.ssh"
  rmdir "$known" 2>/dev/null || :
}
`;

/**
 * Root writes only where the account cannot: a home that the account owns could hold links to anywhere. sshd
 * also takes a key from files that root owns (StrictModes, sshd_config(5)). A home that the account owned is
 * taken over from the top down, so that no name in it can change hands between a check and a write.
 */
const makeProgram = `${judgeAccount}
umask 022
IFS= read -r key
command -v sudo >/dev/null && command -v visudo >/dev/null || { echo 'sudo is not installed' >&2; exit 3; }
is_ours || { echo "the account $user there is not this console's: its home is $known" >&2; exit 3; }
is_our_rule || { echo "$sudoers/homeport there is not this console's" >&2; exit 3; }
allowed=$( { sshd -T 2>/dev/null || /usr/sbin/sshd -T 2>/dev/null || :; } | sed -n 's/^allow\\(users\\|groups\\) //p' )
case " $allowed " in
  '  ') ;;
  *" $user "*) ;;
  *) echo "sshd lets in only: $allowed" >&2; exit 3 ;;
esac
[ -n "$known" ] || useradd --system --user-group --no-create-home --home-dir "$home" --shell /bin/sh "$user"
# "*" fits no password; useradd's "!" would mark the account locked, and an sshd without PAM lets no locked one in.
usermod --home "$home" --shell /bin/sh --password '*' "$user"
[ ! -L "$home" ] || { echo "$home is a link" >&2; exit 1; }
mkdir -p "$home"
chown root:root "$home"
chmod 0755 "$home"
if [ -L "$home/.ssh" ] || [ ! -d "$home/.ssh" ] || [ ! -O "$home/.ssh" ]; then
  rm -rf "$home/.ssh"
  mkdir "$home/.ssh"
fi
chmod 0755 "$home/.ssh"
printf 'restrict,pty %s\\n' "$key" >"$home/.ssh/authorized_keys.new"
mv -fT "$home/.ssh/authorized_keys.new" "$home/.ssh/authorized_keys"
write_rule
leave_former_home
echo "The account $user is ready."
`;

const renewProgram = `${judgeAccount}
umask 022
keys=$home/.ssh/authorized_keys
[ "$known" = "$home" ] && [ -f "$sudoers/homeport" ] || exit 0
for folder in "$home" "$home/.ssh"; do
  [ ! -L "$folder" ] && [ -d "$folder" ] && [ -O "$folder" ] || exit 0
done
IFS= read -r line <"$keys" || exit 0
renewed=
case $line in
  'restrict '*)
    printf 'restrict,pty %s\\n' "\${line#restrict }" >"$keys.new"
    mv -fT "$keys.new" "$keys"
    renewed=yes
    ;;
esac
# A rule with SETENV lets the account run each program as dokku, whatever else a person wrote.
if grep -qxF "$user ALL=(dokku) NOPASSWD:SETENV: /usr/bin/dokku" "$sudoers/homeport"; then renewed=yes; fi
[ -n "$renewed" ] || exit 0
write_rule
echo renewed
`;

const removeProgram = `${judgeAccount}
is_our_rule && rm -f "$sudoers/homeport"
if ! is_ours; then
  echo "The account $user is not this console's and stays."
  exit 0
fi
if [ -n "$known" ]; then
  # userdel(8) refuses while a process of the account is ending, such as a report of the agent.
  for _ in 1 2 3 4 5; do
    pkill -KILL -u "$user" || :
    userdel "$user" 2>/dev/null && break
    sleep 1
  done
fi
leave_former_home
rm -rf "$home"
if id -u "$user" >/dev/null 2>&1; then
  echo "The account $user stays, because a process of it does not end. It can no longer log in or use sudo."
else
  echo "The account $user is removed."
fi
`;
