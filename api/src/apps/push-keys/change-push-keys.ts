import { pushKeyChangeSchema } from '@homeport/contract/apps/push-keys/schema';
import { appName, canBecomeRoot } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
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
import { changeList } from './change-list.ts';
import { describeKeys, keptOf, namesOf } from './describe-keys.ts';
import { inWords, planList } from './plan-list.ts';
import { type KeysOnServer, plainListed, readKeysOnServer } from './read-on-server.ts';
import { deployingName, listOwnKeys } from './records.ts';
import { nameOfKeypair, refuseOtherKeys } from './same-keys.ts';

const changeInput = onAppInput.extend(pushKeyChangeSchema.shape);
type ChangeInput = z.output<typeof changeInput>;
type Context = StepContext<ChangeInput>;
type Deps = { store: Pick<Store, 'db'> };
type OwnKeys = Awaited<ReturnType<typeof listOwnKeys>>;

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
async function set(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { from, to } = context.input;
  const before = await readServer(context);
  const other = pluginText(context.input, before);
  if (other)
    throw new ProblemError('conflict', `${other} Nothing was changed.`, {
      recovery: 'Look at the keys again, and choose anew.',
    });
  const deploys = await deploysOf(deps, context, before);
  const own = await requireOwn(deps, context);
  const wantedWith = (added: readonly string[]) => [
    ...new Set([...to.map(({ key }) => key), ...added, ...deploys]),
  ];
  refuseOtherKeys(context.input, before);
  const named = own.map((key) => nameOfKeypair(before, key) ?? `homeport-${key.id}`);
  const listed = plainListed(before);
  if (listed !== null && from !== null) planList({ listed, from, to: wantedWith(named) });
  const absent = own.filter(({ fingerprint }) => namesOf(before.keys, fingerprint).length === 0);
  if (absent.length === 0) return change(context, before, wantedWith(named));
  const put = await addToServer(deps, context, absent);
  return sayingAlso(put, async () => {
    const after = await readServer(context);
    const missing = own.filter((key) => nameOfKeypair(after, key) === null);
    if (missing.length > 0)
      throw new ProblemError(
        'remote_failed',
        `The server did not take the key ${inWords(missing.map(({ name }) => name))}. The log shows why.`,
      );
    await change(context, after, wantedWith(own.flatMap((key) => nameOfKeypair(after, key) ?? [])));
    return undefined;
  });
}

async function change(
  context: Context,
  now: KeysOnServer,
  wanted: readonly string[],
): Promise<StepOutcome | undefined> {
  const { from, longname } = context.input;
  refuseOtherKeys(context.input, now);
  // The last step compares with these names: a keypair may be gone from the console by then.
  await context.remember({ wanted });
  const listed = plainListed(now);
  if (listed === null || from === null) return { state: 'skipped', note: 'The server has these keys.' };
  const plan = planList({ listed, from, to: wanted });
  if (plan.add.length + plan.remove.length === 0)
    return { state: 'skipped', note: 'The server has this list already.' };
  await changeList((command, options) => context.run('apps', command, options), appName(longname), {
    ...plan,
    wanted,
  });
  return undefined;
}

/** What is another now than the page showed; null: nothing. */
function pluginText({ from }: ChangeInput, { listed }: KeysOnServer): string | null {
  if ((from === null) === (listed === null)) return null;
  return from === null
    ? 'The server has the acl plugin by now, so each app has a list of its own.'
    : 'The server has the acl plugin no more, so every key there may push to every app.';
}

/** The name of the key with which GitHub deploys the app, where the server has it. It may not come off, and gets onto the first list. */
async function deploysOf({ store }: Deps, context: Context, { keys }: KeysOnServer): Promise<string[]> {
  const { appId, from, to } = context.input;
  const deploys = await deployingName(store.db, context.owner, appId);
  if (deploys === null || !keys.some(({ name }) => name === deploys)) return [];
  if (from?.includes(deploys) && !to.some(({ key }) => key === deploys))
    throw new ProblemError('conflict', 'GitHub deploys the app with a key that would come off the list.', {
      recovery: 'Undo the continuous deployment instead. That removes the key.',
    });
  return [deploys];
}

async function requireOwn({ store }: Deps, { owner, input }: Context): Promise<OwnKeys> {
  const own = (await listOwnKeys(store.db, owner)).filter(({ id }) => input.add.includes(id));
  if (own.length === input.add.length) return own;
  throw new ProblemError('conflict', 'You removed one of these keys meanwhile. Nothing was changed.', {
    recovery: 'Choose anew.',
  });
}

/** The names, in the console, of the keys that the server has from now on. */
async function addToServer({ store }: Deps, context: Context, absent: OwnKeys): Promise<string[]> {
  const { server_id } = await findApp({ owner: context.owner, db: store.db }, context.input.appId);
  const ids = absent.map(({ id }) => id);
  const added = await addPushKeys(store, { ...context, input: { serverId: server_id } }, ids);
  const put = absent.filter(({ id }) => added.keys.some((key) => key.id === id)).map(({ name }) => name);
  if (added.warnings.length === 0) return put;
  return sayingAlso(put, () => {
    throw new ProblemError('remote_failed', `${added.warnings.join(' ')} The app’s list stays as it is.`);
  });
}

/** A failure behind the first added key names what is on the server now: such a key pushes to every app without a list. */
async function sayingAlso<T>(put: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError) || put.length === 0) throw error;
    const text = `The server has the key ${inWords(put)} now, which may push to its apps without a list.`;
    throw new ProblemError(error.code, `${error.message} ${text}`, error.details, { cause: error });
  }
}

const factsSchema = z.object({ wanted: z.array(z.string()) });

/** Keeps what the server says, and compares with what was asked: Dokku reports success also where it did nothing. */
async function readAgain({ store: { db } }: Deps, context: Context): Promise<StepOutcome> {
  const { owner, input } = context;
  const { wanted } = factsSchema.parse(context.facts);
  const server = await readServer(context);
  const { server_id } = await findApp({ owner, db }, input.appId);
  const account = accountOf(await findServer({ owner, db }, server_id), 'root');
  const told = describeKeys(server, {
    own: await listOwnKeys(db, owner),
    deploys: await deployingName(db, owner, input.appId),
    mayAdd: canBecomeRoot(account),
  });
  const ids = [...new Set(told.keys.flatMap(({ listed: may, keyId }) => (may && keyId ? [keyId] : [])))];
  const isOpen = (server.listed ?? []).length === 0;
  // Ids alone cannot say that only keys of others may push.
  await recordOnApp(db, context, input.appId, { keys: isOpen || ids.length > 0 ? ids : null });
  await keepReadings(db, owner, input.appId, { pushers: keptOf(told) });
  const other = pluginText(input, server);
  if (other) throw new ProblemError('remote_failed', other);
  refuseOtherKeys(input, server, { isSet: true });
  const listed = plainListed(server);
  if (listed === null) {
    await context.toast('ok', 'Keys changed');
    return { note: 'Every key of the server may push to every app there.' };
  }
  if (isOpen)
    throw new ProblemError(
      'remote_failed',
      'The list was emptied meanwhile. Every key of the server may push to the app now.',
      { recovery: 'Choose the keys anew.' },
    );
  if (wanted.length !== listed.length || wanted.some((name) => !listed.includes(name)))
    throw new ProblemError(
      'remote_failed',
      `The list was changed meanwhile. By now these may push: ${inWords(listed)}.`,
    );
  await context.toast('ok', 'Keys changed');
  const odd = told.odd === 0 ? '' : ` So may ${told.odd} with names that Homeport passes on to no command.`;
  return { note: `${inWords(listed)} may push to the app.${odd}` };
}
