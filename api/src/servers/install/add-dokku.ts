import { messages } from '@homeport/contract/messages';
import { installPercents } from '@homeport/contract/servers/facts';
import { probe } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findServer } from '../../records/server-record.ts';
import { recordServerFacts } from '../server-changes.ts';
import { tryConsoleAccount } from './console-account.ts';
import { giveAccountKey } from './give-account-key.ts';
import { lookAtLogin } from './inspect-login.ts';
import { dokkuSteps, type InstallDeps, warnOfLittleSpace } from './install-server.ts';

const input = z.object({ serverId: z.uuid() });
type Context = StepContext<z.output<typeof input>>;

/**
 * Installs Dokku on a server that was used without it. The server stays one without Dokku until the last step, however the work ends,
 * so it can be begun again.
 */
export function addDokku(deps: InstallDeps): AnyOperationDefinition {
  const steps = dokkuSteps(deps);
  return defineOperation<z.output<typeof input>>({
    kind: 'server.add-dokku',
    input,
    title: () => 'Installation of Dokku',
    steps: () => [
      {
        key: 'verify',
        title: messages.verifying,
        percent: installPercents.verify,
        run: (context) => verify(deps, context),
      },
      ...steps,
      {
        key: 'finish',
        title: 'Checking the result',
        percent: installPercents.finish,
        run: (context) => finish(deps, context),
      },
    ],
    onFailure: (context, step) =>
      steps.some(({ key }) => key === step.key)
        ? context.toast('bad', messages.bootstrapFailed)
        : Promise.resolve(),
  });
}

async function verify(deps: InstallDeps, context: Context) {
  const login = await lookAtLogin(deps.db, context);
  if (login.kind === 'plain' && !login.sandbox)
    throw new ProblemError('not_allowed', 'The account may not become root, which the installation needs.', {
      recovery: 'Link the server as root, or as a user who may use sudo without a password.',
    });
  const server = await findServer({ owner: context.owner, db: deps.db }, context.input.serverId);
  const accountNote = await giveAccountKey(deps.db, context, server);
  const machine = probe.readProbe(
    await context.run('root', probe.probe(), {
      shown: 'uname -m; nproc; free; df; docker version; dokku version',
    }),
  );
  return (
    warnOfLittleSpace(machine) ?? (accountNote ? { state: 'warned' as const, note: accountNote } : undefined)
  );
}

async function finish(deps: InstallDeps, context: Context) {
  const facts: { metal: false; console_account?: boolean } = { metal: false };
  if (context.facts.accountMade === true) {
    const works = await context.run('root', tryConsoleAccount(), { accept: 'any' });
    facts.console_account = works.exitCode === 0;
  }
  await recordServerFacts(deps.db, context.owner, context.input.serverId, facts);
  return { note: 'Apps and databases can be made on this server now.' };
}
