import { type Command, hostCommand, type Outcome, readValues } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import { recordServerFacts } from '../server-changes.ts';

/** What the given login may do, and whether the host is the sandbox of tests and the demo. */
export type Login = {
  kind: 'root' | 'sudo' | 'plain';
  /** The sandbox’s folder, and the account that takes its `git push`; null on every real server. */
  sandbox: { root: string; gitUser: string } | null;
};

export async function askLogin({ run }: Pick<StepContext<unknown>, 'run'>): Promise<Login> {
  return readLogin(await run('root', inspectLogin(), { shown: 'id -u; sudo -n true' }));
}

/** Asks and records what the login may do now. Later steps find the sandbox’s folder among the facts. */
export async function lookAtLogin(
  db: Kysely<Database>,
  context: StepContext<{ serverId: string }>,
): Promise<Login> {
  const login = await askLogin(context);
  await context.remember({ sandboxRoot: login.sandbox?.root ?? null });
  await recordServerFacts(db, context.owner, context.input.serverId, { login: login.kind });
  return login;
}

function inspectLogin(): Command {
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

function readLogin(outcome: Outcome): Login {
  const values = readValues(outcome.stdout);
  const kind = values.get('login');
  const root = values.get('sandbox');
  const gitUser = values.get('git_user');
  return {
    kind: kind === 'root' || kind === 'sudo' ? kind : 'plain',
    sandbox: root && gitUser ? { root, gitUser } : null,
  };
}
