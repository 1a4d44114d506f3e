import { pushKeyChangeSchema } from '@homeport/contract/apps/push-keys/schema';
import { appName } from '@homeport/dokku';
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
import { addPushKeys } from '../changes/add-push-keys.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput } from '../changes/on-app.ts';
import { changeList } from './change-list.ts';
import { deployingName } from './deploying-key.ts';
import { namesOf } from './describe-keys.ts';
import { forgetList, keepList } from './keep-list.ts';
import { inWords, planList } from './plan-list.ts';
import { type PutKey, putKeySchema, sayingAlso } from './put-keys.ts';
import { type KeysOnServer, plainListed, readKeysOnServer } from './read-on-server.ts';
import { listOwnKeys } from './records.ts';
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

const keptOn = ({ store: { db } }: Deps, { owner, input: { appId } }: Context) => ({ db, owner, appId });

/** Compares and sets in one step, so that a repetition compares again. Keys reach the server only after the comparison. */
async function set(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const before = await readServer(context);
  await keepList(keptOn(deps, context), before);
  // What an earlier try put there, which may have been cut off.
  const put = setFacts.parse(context.facts).put.filter(({ fingerprint }) => isThere(before, fingerprint));
  return sayingAlso(put, () => compareAndSet(deps, context, before));
}

const isThere = ({ keys }: KeysOnServer, fingerprint: string) => namesOf(keys, fingerprint).length > 0;

async function compareAndSet(
  deps: Deps,
  context: Context,
  before: KeysOnServer,
): Promise<StepOutcome | undefined> {
  const { from, to } = context.input;
  const other = pluginText(context.input, before);
  if (other)
    throw new ProblemError('conflict', `${other} The app’s list stays as it is.`, {
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
  const absent = own.filter(({ fingerprint }) => !isThere(before, fingerprint));
  if (absent.length === 0) return change(deps, context, before, wantedWith(named));
  const put = await addToServer(deps, context, absent);
  return sayingAlso(put, async () => {
    const after = await readServer(context);
    const missing = own.filter((key) => nameOfKeypair(after, key) === null);
    if (missing.length > 0)
      throw new ProblemError(
        'remote_failed',
        `The server did not take the key ${inWords(missing.map(({ name }) => name))}. The log shows why.`,
      );
    await change(deps, context, after, wantedWith(own.flatMap((key) => nameOfKeypair(after, key) ?? [])));
    return undefined;
  });
}

async function change(
  deps: Deps,
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
  await forgetList(keptOn(deps, context));
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
  throw new ProblemError(
    'conflict',
    'You removed one of these keys meanwhile. The app’s list stays as it is.',
    {
      recovery: 'Choose anew.',
    },
  );
}

/** The keys that the server has from now on. */
async function addToServer({ store }: Deps, context: Context, absent: OwnKeys): Promise<PutKey[]> {
  const { server_id } = await findApp({ owner: context.owner, db: store.db }, context.input.appId);
  const ids = absent.map(({ id }) => id);
  await context.remember({ put: absent.map(({ name, fingerprint }) => ({ name, fingerprint })) });
  const added = await sayingAlso(
    absent,
    () => addPushKeys(store, { ...context, input: { serverId: server_id } }, ids),
    'may have',
  );
  const put = absent.filter(({ id }) => added.keys.some((key) => key.id === id));
  if (added.warnings.length === 0) return put;
  return sayingAlso(put, () => {
    throw new ProblemError('remote_failed', `${added.warnings.join(' ')} The app’s list stays as it is.`);
  });
}

/** `put`: keys that a try gave the server, or was about to. */
const setFacts = z.object({ put: z.array(putKeySchema).default([]) });
const factsSchema = z.object({ wanted: z.array(z.string()) });

/** Keeps what the server says, and compares with what was asked: Dokku reports success also where it did nothing. */
async function readAgain(deps: Deps, context: Context): Promise<StepOutcome> {
  const { input } = context;
  const { wanted } = factsSchema.parse(context.facts);
  const server = await readServer(context);
  const told = await keepList(keptOn(deps, context), server);
  const other = pluginText(input, server);
  if (other) throw new ProblemError('remote_failed', other);
  refuseOtherKeys(input, server, { isSet: true });
  const listed = plainListed(server);
  if (listed === null) {
    await context.toast('ok', 'Keys changed');
    return { note: 'Every key of the server may push to every app there.' };
  }
  if (server.listed?.length === 0)
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
