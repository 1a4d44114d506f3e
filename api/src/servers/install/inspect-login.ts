import { machineNameCharacters } from '@homeport/contract/location/facts';
import { type Machine, machineFiles, machineSchema } from '@homeport/contract/location/machine';
import { providerOf } from '@homeport/contract/location/provider';
import { type Command, hostCommand, type Outcome, readValues } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import { recordServerFacts } from '../server-changes.ts';

/** What the given login may do, on what machine, and whether the host is the sandbox of tests and the demo. */
export type Login = {
  kind: 'root' | 'sudo' | 'plain';
  /** The provider that the machine’s firmware names; null if it names none. */
  provider: string | null;
  /** The sandbox’s folder, and the account that takes its `git push`; null on every real server. */
  sandbox: { root: string; gitUser: string } | null;
};

export async function askLogin({ run }: Pick<StepContext<unknown>, 'run'>): Promise<Login> {
  return readLogin(
    await run('root', inspectLogin(), {
      shown: `id -u; sudo -n true; head -n 1 /sys/class/dmi/id/{${machineFiles.join(',')}}`,
    }),
  );
}

/** Asks and records what the login may do now. Later steps find the sandbox’s folder among the facts. */
export async function lookAtLogin(
  db: Kysely<Database>,
  context: StepContext<{ serverId: string }>,
): Promise<Login> {
  const login = await askLogin(context);
  await context.remember({ sandboxRoot: login.sandbox?.root ?? null });
  await recordServerFacts(db, context.owner, context.input.serverId, {
    login: login.kind,
    provider: login.provider,
  });
  return login;
}

function inspectLogin(): Command {
  return hostCommand(['sh', '-s'], { needsRoot: false, stdin: program });
}

const program = `for name in ${machineFiles.join(' ')}; do
  file="\${DOKKU_SANDBOX_ROOT:+$DOKKU_SANDBOX_ROOT/machine}/sys/class/dmi/id/$name"
  if [ -r "$file" ]; then printf '%s=%.${machineNameCharacters}s\\n' "$name" "$(head -n 1 "$file" 2>/dev/null)"; fi
done
if [ "$(id -u)" = 0 ]; then echo login=root
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
    provider: providerOf(machineIn(values)),
    sandbox: root && gitUser ? { root, gitUser } : null,
  };
}

function machineIn(values: ReadonlyMap<string, string>): Machine {
  return (
    machineSchema.safeParse(Object.fromEntries(machineFiles.map((name) => [name, values.get(name)]))).data ??
    {}
  );
}
