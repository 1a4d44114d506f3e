import { pushKeyChangeSchema } from '@homeport/contract/apps/push-keys/schema';
import { acl, appName, canBecomeRoot, sshKeyName } from '@homeport/dokku';
import type { Database, Store } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { keepReadings } from '../../records/reading-record.ts';
import { findServer } from '../../records/server-record.ts';
import { accountOf } from '../../remote/server-access.ts';
import { addPushKeys } from '../changes/add-push-keys.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput, recordOnApp } from '../changes/on-app.ts';
import { describeKeys, namesOf } from './describe-keys.ts';
import { inWords, planList } from './plan-list.ts';
import { isPlainName, type KeysOnServer, readKeysOnServer } from './read-on-server.ts';
import { deployingName, listOwnKeys } from './records.ts';

const changeInput = onAppInput.extend(pushKeyChangeSchema.shape);
type ChangeInput = z.output<typeof changeInput>;
type Context = StepContext<ChangeInput>;
type Deps = { store: Pick<Store, 'db'> };

/** Changes which keys may push to an app: puts keys that the server lacks there, and then changes the app’s list. Nothing restarts. */
export function changePushKeys(deps: Deps): AnyOperationDefinition {
  return defineOperation<ChangeInput>({
    kind: 'app.push-keys',
    input: changeInput,
    title: () => 'Change of who may push',
    steps: () => [
      {
        key: 'set',
        title: 'Compare with the server, and change who may push',
        run: (context) => set(deps, context),
      },
      { key: 'read', title: 'Read who may push again', run: (context) => readAgain(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const readServer = (context: Context) =>
  readKeysOnServer(
    (command, options) => context.run('apps', command, options),
    appName(context.input.longname),
  );

/** Compares and sets in one step, so that a repetition compares again. Keys reach the server only after the comparison. */
async function set({ store: { db } }: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { from, add } = context.input;
  const before = await readServer(context);
  refuseOtherPlugin(context.input, before);
  const planned = await wantedNames(db, context, before);
  const listed = plainListed(before);
  if (listed !== null && from !== null) planList({ listed, from, to: planned });
  const absent = await absentKeys(db, context, before);
  if (absent.length > 0) await addToServer(db, context, absent);
  const after = absent.length > 0 ? await readServer(context) : before;
  const now = plainListed(after);
  if (now === null || from === null)
    return absent.length === 0 && add.length > 0
      ? { state: 'skipped', note: 'The server has these keys already.' }
      : undefined;
  const to = await wantedNames(db, context, after, 'present');
  const plan = planList({ listed: now, from, to });
  const keyless = plan.add.filter((name) => !after.keys.some((key) => key.name === name));
  if (keyless.length > 0)
    throw new ProblemError(
      'conflict',
      `The server has no key ${inWords(keyless)} any more. The app’s list stays as it is.`,
    );
  const app = appName(context.input.longname);
  // An empty list opens the app to every key of the server, so names are added before others are removed.
  for (const name of plan.add) await context.run('apps', acl.add(app, sshKeyName(name)), { accept: [0, 2] });
  for (const name of plan.remove) await context.run('apps', acl.remove(app, sshKeyName(name)));
  if (plan.add.length + plan.remove.length > 0) return undefined;
  return { state: 'skipped', note: 'The server has this list already.' };
}

const plainListed = ({ listed }: KeysOnServer) => listed?.filter(isPlainName) ?? null;

function refuseOtherPlugin({ from }: ChangeInput, { listed }: KeysOnServer): void {
  if ((from === null) === (listed === null)) return;
  const text =
    from === null
      ? 'The server has the acl plugin by now, so each app has a list of its own.'
      : 'The server has the acl plugin no more, so every key there may push to every app.';
  throw new ProblemError('conflict', `${text} Nothing was changed.`, {
    recovery: 'Look at the keys again, and choose anew.',
  });
}

/**
 * The names that are to stand on the list. A keypair that the server lacks gets its name from `addPushKeys`; with `present` each keypair
 * has to be there. Names are found by fingerprint: somebody may have given another key the name that this one would get.
 */
async function wantedNames(
  db: Kysely<Database>,
  context: Context,
  { keys }: KeysOnServer,
  expected: 'present' | 'any' = 'any',
): Promise<string[]> {
  const { from, to, add, appId } = context.input;
  const deploys = await deployingName(db, context.owner, appId);
  if (deploys !== null && from?.includes(deploys) && !to.includes(deploys))
    throw new ProblemError('conflict', 'GitHub deploys the app with a key that would come off the list.', {
      recovery: 'Undo the continuous deployment instead. That removes the key.',
    });
  const own = await requireOwn(db, context, add);
  const added = own.map(({ id, fingerprint, name: title }) => {
    const names = namesOf(keys, fingerprint);
    const name = names.find(isPlainName);
    if (name !== undefined) return name;
    if (names.length > 0)
      throw new ProblemError(
        'conflict',
        `The server has the key ${title} under a name that Homeport passes on to no command.`,
        { recovery: 'Give the key a plain name on the server.' },
      );
    const other = `homeport-${id}`;
    if (expected === 'present' || keys.some((key) => key.name === other))
      throw new ProblemError('remote_failed', `The server did not take the key ${title}. The log shows why.`);
    return other;
  });
  const isThere = deploys !== null && keys.some(({ name }) => name === deploys);
  return [...new Set([...to, ...added, ...(isThere ? [deploys] : [])])];
}

async function requireOwn(db: Kysely<Database>, { owner }: Context, ids: readonly string[]) {
  const own = (await listOwnKeys(db, owner)).filter(({ id }) => ids.includes(id));
  if (own.length < ids.length)
    throw new ProblemError('conflict', 'You removed one of these keys meanwhile. Nothing was changed.', {
      recovery: 'Choose anew.',
    });
  return own;
}

async function absentKeys(db: Kysely<Database>, context: Context, { keys }: KeysOnServer) {
  const own = await requireOwn(db, context, context.input.add);
  return own.filter(({ fingerprint }) => namesOf(keys, fingerprint).length === 0).map(({ id }) => id);
}

async function addToServer(db: Kysely<Database>, context: Context, absent: readonly string[]): Promise<void> {
  const { server_id } = await findApp({ owner: context.owner, db }, context.input.appId);
  const { warnings } = await addPushKeys({ db }, { ...context, input: { serverId: server_id } }, absent);
  if (warnings.length === 0) return;
  throw new ProblemError('remote_failed', `${warnings.join(' ')} The app’s list stays as it is.`);
}

/** Compares what the server says with what was asked, and keeps it: Dokku reports success also where it did nothing. */
async function readAgain({ store: { db } }: Deps, context: Context): Promise<StepOutcome> {
  const { owner, input } = context;
  const server = await readServer(context);
  refuseOtherPlugin(input, server);
  const wanted = await wantedNames(db, context, server, 'present');
  const listed = plainListed(server);
  const differs = listed !== null && wanted.length !== listed.length;
  if (differs || (listed !== null && wanted.some((name) => !listed.includes(name))))
    throw new ProblemError('remote_failed', 'The server has another list of keys than was asked.');
  const { server_id } = await findApp({ owner, db }, input.appId);
  const account = accountOf(await findServer({ owner, db }, server_id), 'root');
  const told = describeKeys(server, {
    own: await listOwnKeys(db, owner),
    deploys: await deployingName(db, owner, input.appId),
    mayAdd: canBecomeRoot(account),
  });
  const ids = [...new Set(told.keys.flatMap(({ listed: may, keyId }) => (may && keyId ? [keyId] : [])))];
  const isOpen = listed === null || listed.length === 0;
  await recordOnApp(db, context, input.appId, {
    keys: isOpen || ids.length > 0 ? (isOpen ? [] : ids) : null,
  });
  await keepReadings(db, owner, input.appId, { pushers: told });
  await context.toast('ok', 'Keys changed');
  if (listed === null) return { note: 'Every key of the server may push to every app there.' };
  return { note: `${inWords(listed)} may push to the app.` };
}
