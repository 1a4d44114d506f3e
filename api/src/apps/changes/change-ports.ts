import { messages } from '@homeport/contract/messages';
import { appName, apps, ports } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { portsText, readPorts, samePorts, webPorts } from '../state/read-ports.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { onAppInput, recordOnApp } from './on-app.ts';

type Deps = { db: Kysely<Database> };

const portsInput = onAppInput.extend({ keep: z.boolean() });
type Context = StepContext<z.output<typeof portsInput>>;

/** Serves the app on port 80, and on 443 with a certificate. Dokku reloads nginx and restarts nothing. */
export function changePorts(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof portsInput>>({
    kind: 'app.ports',
    input: portsInput,
    title: () => 'Change of ports',
    steps: () => [
      { key: 'set', title: 'Serve the app on port 80', run: (context) => setPorts(deps, context) },
      { key: 'read', title: 'Read the app’s addresses', run: (context) => readAddress(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const readNow = (context: Context) =>
  readPorts((command, options) => context.run('apps', command, options), context.input.longname);

async function setPorts(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { appId, longname, keep } = context.input;
  const { https } = await findApp({ owner: context.owner, db: deps.db }, appId);
  const before = await readNow(context);
  const wanted = webPorts(before.inForce, { https, keep });
  if (samePorts(before.set, wanted)) return { note: `The app is on ${portsText(wanted)} already.` };
  await context.run('apps', ports.set(appName(longname), wanted), { deadlineMs: 180_000 });
  // Dokku ignores a mapping that it does not take, and ends with 0.
  const after = await readNow(context);
  if (!samePorts(after.set, wanted))
    throw new ProblemError(
      'remote_failed',
      `Dokku did not take the ports ${portsText(wanted)}. The app is on ${portsText(after.inForce)}.`,
    );
  return { note: `Before: ${portsText(before.inForce)}. Now: ${portsText(wanted)}.` };
}

async function readAddress(deps: Deps, context: Context): Promise<undefined> {
  const { appId, longname } = context.input;
  const { deployed_at: deployedAt } = await findApp({ owner: context.owner, db: deps.db }, appId);
  const urls = apps.readUrls(await context.run('apps', apps.urls(appName(longname)), { quiet: true }));
  if (deployedAt !== null) await recordOnApp(deps.db, context, appId, { url: urls[0] ?? null });
  await context.toast('ok', messages.appUpdated);
  return undefined;
}
