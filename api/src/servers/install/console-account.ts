import { type Command, hostCommand } from '@homeport/dokku';
import { consoleUser } from '../../remote/server-access.ts';

/**
 * Makes the console’s own account: it logs in with the credential’s public key (on stdin, into authorized_keys with
 * `restrict`, sshd(8)) and may become the user dokku for `/usr/bin/dokku` and nothing else (sudoers(5)). Safe to repeat.
 * Exit code 3: the server does not let this account in (AllowUsers, no sudo); nothing was changed.
 */
export function makeConsoleAccount(publicKey: string): Command {
  return hostCommand(['sh', '-c', makeProgram, 'homeport-account', consoleUser], {
    needsRoot: true,
    stdin: `${publicKey}\n`,
  });
}

/** Ends with 0 once the account can run Dokku the way app actions do. */
export function tryConsoleAccount(): Command {
  return hostCommand(
    ['runuser', '-u', consoleUser, '--', 'sudo', '-n', '-u', 'dokku', '-H', 'dokku', 'version'],
    { needsRoot: true },
  );
}

/** Leaves the account, which the agent runs under, without a key to log in with and without its sudo rule. */
export function closeConsoleAccount(): Command {
  return hostCommand(['rm', '-f', '/var/lib/homeport/.ssh/authorized_keys', '/etc/sudoers.d/homeport'], {
    needsRoot: true,
  });
}

/** Removes the account, its key and its sudo rule; what is not there counts as removed. */
export function removeConsoleAccount(): Command {
  return hostCommand(['sh', '-c', removeProgram, 'homeport-account', consoleUser], { needsRoot: true });
}

export const notPossible = 3;

const makeProgram = `set -euf
user=$1
home=/var/lib/homeport
IFS= read -r key
command -v sudo >/dev/null && command -v visudo >/dev/null || { echo 'sudo is not installed' >&2; exit 3; }
allowed=$( { sshd -T 2>/dev/null || /usr/sbin/sshd -T 2>/dev/null || :; } | sed -n 's/^allow\\(users\\|groups\\) //p' )
case " $allowed " in
  '  ') ;;
  *" $user "*) ;;
  *) echo "sshd lets in only: $allowed" >&2; exit 3 ;;
esac
id -u "$user" >/dev/null 2>&1 || useradd --system --user-group --home-dir "$home" --shell /bin/sh "$user"
# "*" fits no password; useradd's "!" would mark the account locked, and an sshd without PAM lets no locked one in.
usermod --home "$home" --shell /bin/sh --password '*' "$user"
install -d -m 0700 -o "$user" -g "$(id -gn "$user")" "$home" "$home/.ssh"
umask 077
printf 'restrict %s\\n' "$key" >"$home/.ssh/authorized_keys.new"
chown "$user:$(id -gn "$user")" "$home/.ssh/authorized_keys.new"
mv "$home/.ssh/authorized_keys.new" "$home/.ssh/authorized_keys"
printf '%s ALL=(dokku) NOPASSWD:SETENV: /usr/bin/dokku\\n' "$user" >/etc/sudoers.d/.homeport.new
chmod 0440 /etc/sudoers.d/.homeport.new
visudo -cqf /etc/sudoers.d/.homeport.new
mv /etc/sudoers.d/.homeport.new /etc/sudoers.d/homeport
echo "The account $user is ready."
`;

const removeProgram = `set -euf
user=$1
rm -f /etc/sudoers.d/homeport
if id -u "$user" >/dev/null 2>&1; then
  pkill -KILL -u "$user" || :
  userdel "$user" || :
fi
rm -rf /var/lib/homeport
echo "The account $user is removed."
`;
