import { type Command, hostCommand, type Outcome, readValues } from '@homeport/dokku';

/** What the given login may do, and whether the host is the sandbox of tests and the demo. */
export type Login = {
  kind: 'root' | 'sudo' | 'plain';
  /** The sandbox’s folder, and the account that takes its `git push`; null on every real server. */
  sandbox: { root: string; gitUser: string } | null;
};

export function inspectLogin(): Command {
  return hostCommand(['sh', '-s'], { needsRoot: false, stdin: program });
}

const program = `if [ "$(id -u)" = 0 ]; then echo login=root
elif sudo -n true >/dev/null 2>&1 </dev/null; then echo login=sudo
else echo login=plain; fi
if [ -n "\${DOKKU_SANDBOX_ROOT:-}" ]; then
  printf 'sandbox=%s\\n' "$DOKKU_SANDBOX_ROOT"
  printf 'git_user=%s\\n' "\${DOKKU_SANDBOX_GIT_USER:-$(id -un)}"
fi
exit 0
`;

export function readLogin(outcome: Outcome): Login {
  const values = readValues(outcome.stdout);
  const kind = values.get('login');
  const root = values.get('sandbox');
  const gitUser = values.get('git_user');
  return {
    kind: kind === 'root' || kind === 'sudo' ? kind : 'plain',
    sandbox: root && gitUser ? { root, gitUser } : null,
  };
}
