import { createHash } from 'node:crypto';
import { defaultDomainOf } from '@homeport/contract/apps/default-domain';
import { starterTitles } from '@homeport/contract/apps/facts';
import { planOf } from '@homeport/contract/apps/plans';
import { type BeginApp, beginSchema } from '@homeport/contract/apps/schema';
import { messages } from '@homeport/contract/messages';
import { creationTitle } from '@homeport/contract/operations/creation-title';
import { acl, appName, apps, domainName, failureOf, ps, resource } from '@homeport/dokku';
import { countOwned, type OwnerWrite, type Store, setUpCheck } from '@homeport/store';
import { z } from 'zod';
import { limitReached } from '../../http/ceiling.ts';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { freePlanProblem } from '../../records/free-plan.ts';
import { findServer } from '../../records/server-record.ts';
import { tailOf } from '../../remote/run-command.ts';
import type { ServerAddresses } from '../../remote/server-addresses.ts';
import { deployInstructions } from '../deploy-instructions.ts';
import { addPushKeys } from './add-push-keys.ts';
import { addDomains, readDomains, readWithDomain } from './app-domains.ts';
import { getCertificate, scheduleRenewal, setAuthorityEmail } from './app-https.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { readAgain } from './control-app.ts';
import { findDefaultDomain, sayNoDefaultDomain, strayDomains } from './default-domain.ts';
import { linkOf } from './link-repository.ts';
import { recordOnApp } from './on-app.ts';
import { type AtCloudflare, ownDomainInput, ownDomainSteps } from './own-domain.ts';

type Deps = {
  store: Pick<Store, 'db' | 'pool' | 'transact'>;
  appDomain: string | null;
  most: number;
  addresses: ServerAddresses;
  /** Deploys the code that the app begins with. */
  deployFirst: (context: Context, longname: string, begin: BeginApp) => Promise<void>;
} & AtCloudflare;

/**
 * The server half of `POST /api/apps`. Names are settled before the work starts, so a repeated run means the
 * same app.
 */
export const createAppInput = z.object({
  serverId: z.uuid(),
  name: z.string(),
  longname: z.string(),
  plan: z.number(),
  keyIds: z.array(z.string()),
  httpsEmail: z.string().nullable(),
  watched: z.boolean().default(true),
  begin: beginSchema.nullable().default(null),
  ownDomain: ownDomainInput.nullable().default(null),
});
type Input = z.output<typeof createAppInput>;
type Context = StepContext<Input>;

/** `most`: how many apps one person may have. */
export function createApp(deps: Deps): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'app.create',
    input: createAppInput,
    title: ({ name }) => creationTitle(name),
    steps: ({ httpsEmail, begin, ownDomain }) => [
      { key: 'create', title: 'Create the app', run: (context) => create(context) },
      { key: 'record', title: 'Save the record', run: (context) => record(deps, context) },
      { key: 'users', title: 'Set users', run: (context) => users(deps, context) },
      { key: 'limits', title: 'Set limits', run: (context) => limits(deps, context) },
      { key: 'monitoring', title: 'Set up monitoring', run: (context) => monitoring(deps, context) },
      { key: 'domain', title: 'Add the domain', run: (context) => domain(deps, context) },
      ...(ownDomain === null ? [] : ownDomainSteps(deps, ownDomain, appIdOf)),
      ...(begin === null
        ? []
        : [
            {
              key: 'deploy',
              title: `Deploy ${inWords(begin)}`,
              run: (context: Context) => deploy(deps, context, begin),
            },
          ]),
      ...(httpsEmail === null
        ? []
        : [{ key: 'https', title: 'Enable HTTPS', run: (context: Context) => https(deps, context) }]),
      {
        key: 'instructions',
        title: 'Finished with deployment instructions',
        run: (context) => instructions(deps, context),
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const inWords = (begin: BeginApp) =>
  begin.from === 'starter'
    ? `the starter “${starterTitles[begin.starter]}”`
    : `${begin.branch} of ${begin.fullName}`;

const serverOf = (deps: Deps, context: Context) =>
  findServer({ owner: context.owner, db: deps.store.db }, context.input.serverId);

async function create(context: Context): Promise<StepOutcome | undefined> {
  const app = appName(context.input.longname);
  const tried = context.facts.createTried === true;
  if (tried) {
    const exists = await context.run('apps', apps.exists(app), { accept: [0, 20], quiet: true });
    if (exists.exitCode === 0) return { note: 'The server already has the app from an earlier try.' };
  } else {
    // Remembered before the command runs: an app that exists later is ours only if this operation may have
    // made it.
    await context.remember({ createTried: true });
  }
  const created = await context.run('apps', apps.create(app), { accept: 'any', deadlineMs: 180_000 });
  if (created.exitCode === 0) return undefined;
  if (failureOf(created)?.code === 'name_taken') {
    if (!tried) await context.remember({ createTried: false });
    throw new ProblemError(
      'conflict',
      `The server already has an app called ${app}, which this creation did not make. Create your app again; it gets another name.`,
    );
  }
  // Another app’s broken nginx file fails the command after the app was made. So check whether the app
  // exists.
  const made = await context.run('apps', apps.exists(app), { accept: [0, 20], quiet: true });
  if (made.exitCode === 0)
    return { state: 'warned', note: 'The app was created, but Dokku reported an error. The log shows it.' };
  throw new ProblemError('remote_failed', 'Dokku did not create the app.', {
    remote: {
      ...created.record,
      exitCode: created.exitCode,
      outputTail: tailOf(created),
    },
  });
}

/** The hash of the default domain, as the specification defines it. */
export const monitorIdOf = (defaultDomain: string) =>
  createHash('sha256').update(defaultDomain).digest('hex').slice(0, 32);

async function record(deps: Deps, context: Context): Promise<undefined> {
  const { input, owner } = context;
  const server = await serverOf(deps, context);
  const row = await deps.store
    .transact(owner, async (scope) => {
      await refuseWithoutRoom(scope, server.id, input.longname, deps.most);
      const linked = input.begin?.from === 'repository' ? await linkOf(scope, input.begin) : {};
      return (
        scope.db
          .insertInto('apps')
          .values({
            owner_id: owner,
            server_id: server.id,
            name: input.name,
            longname: input.longname,
            monitor_id: monitorIdOf(defaultDomainOf(server, input.longname, deps.appDomain)),
            plan: input.plan,
            created_at: Date.now(),
            ...linked,
          })
          // If an earlier run saved the app, this update returns its id.
          .onConflict((conflict) =>
            conflict.columns(['server_id', 'longname']).doUpdateSet({ name: input.name }),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
      );
    })
    .catch((error: unknown) => {
      throw freePlanProblem(error);
    });
  await context.attach({ appId: row.id, longname: input.longname });
  await context.remember({ appId: row.id });
  await notifyChange(deps.store.db, owner, 'apps', row.id);
  await context.toast('ok', messages.appCreated);
  return undefined;
}

/**
 * Room was reserved when the creation was requested. A creation that ended and runs again may find that room
 * taken.
 */
async function refuseWithoutRoom(
  scope: OwnerWrite,
  serverId: string,
  longname: string,
  most: number,
): Promise<void> {
  // The count includes this creation.
  const held = await countOwned(scope, 'apps');
  if (held <= most) return;
  const saved = await scope.db
    .selectFrom('apps')
    .select('id')
    .where('owner_id', '=', scope.owner)
    .where('server_id', '=', serverId)
    .where('longname', '=', longname)
    .executeTakeFirst();
  if (saved) return;
  throw limitReached(
    'apps',
    most,
    'The server has the new app, but this console has no record of it. Remove another app, then run this again.',
  );
}

async function users(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const added = await addPushKeys(deps.store, context, context.input.keyIds);
  if (added.skipped > 0) await context.toast('warning', messages.keyAlreadyAdded);
  for (const warning of added.warnings) await context.toast('warning', warning);
  const app = appName(context.input.longname);
  const allowed = await context.run('apps', acl.list(app), { accept: 'any' });
  const keep = (keys: string[] | null) => recordOnApp(deps.store.db, context, appIdOf(context), { keys });
  if (allowed.exitCode !== 0) {
    await keep([]);
    return {
      state: 'warned',
      note: 'The acl plugin is not installed: every key of this server may push to the app.',
    };
  }
  const present = acl.readList(allowed);
  for (const { name } of added.keys) {
    if (!present.includes(name)) await context.run('apps', acl.add(app, name), { accept: [0, 2] });
  }
  // Without a key of ours, the list may hold keys that this console does not know.
  const unknown = added.keys.length === 0 && present.length > 0;
  await keep(unknown ? null : added.keys.map(({ id }) => id));
  if (added.keys.length === 0 && !unknown)
    added.warnings.push('Until one of your keys is added, every key of this server may push to the app.');
  return added.warnings.length > 0 ? { state: 'warned', note: added.warnings.join(' ') } : undefined;
}

async function limits(deps: Deps, context: Context): Promise<undefined> {
  const app = appName(context.input.longname);
  await context.run('apps', resource.limit(app, planOf(context.input.plan)));
  const deployed = ps.readReport(await context.run('apps', ps.report(app), { quiet: true })).deployed;
  if (deployed) await context.run('apps', ps.restart(app), { deadlineMs: 10 * 60_000 });
  await deps.store.db
    .updateTable('apps')
    .set({ plan: context.input.plan })
    .where('owner_id', '=', context.owner)
    .where('id', '=', appIdOf(context))
    .execute();
  await context.toast('ok', messages.appPlanSelected);
  return undefined;
}

/**
 * The uptime check starts as soon as the app has its domain. The server’s agent measures the app’s
 * containers.
 */
async function monitoring(deps: Deps, context: Context): Promise<StepOutcome> {
  const server = await serverOf(deps, context);
  const { watched } = context.input;
  const found = await findDefaultDomain(deps, context, server);
  const { domain } = found;
  if (watched && domain !== null) {
    await setUpCheck(
      { owner: context.owner, db: deps.store.db },
      { appId: appIdOf(context), domain, path: '/', now: Date.now() },
    );
    await context.toast('ok', messages.monitorSetUp);
  }
  if (!server.agent_installed)
    return { state: 'warned', note: 'This server has no monitoring agent yet, so nothing will be measured.' };
  if (!watched) return { state: 'skipped', note: 'No checks were wanted. The app’s page sets them up.' };
  if (found.domain === null)
    return {
      state: 'warned',
      note: `No checks were set up, because ${found.why === 'not_known' ? 'DNS does not say now where its default domain leads' : 'the app has no default domain'}. Its page sets them up.`,
    };
  return { note: 'The server’s agent measures the app’s containers from its first deploy on.' };
}

/**
 * Dokku gives a new app the domain beneath the server’s global one, so mostly the domain is there. Adding it
 * again would rebuild nginx’s files for nothing, which takes 10 s on a busy host.
 */
async function domain(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { longname } = context.input;
  const server = await serverOf(deps, context);
  const found = await findDefaultDomain(deps, context, server);
  const present = await readDomains(context, longname);
  if (found.domain === null) {
    await recordOnApp(deps.store.db, context, appIdOf(context), { domains: present });
    return { state: 'warned', note: sayNoDefaultDomain(found.why, server, deps.appDomain, present) };
  }
  const wanted = domainName(found.domain);
  const isThere = present.includes(wanted);
  if (!isThere) await addDomains(context, longname, [wanted]);
  const domains = isThere ? present : await readWithDomain(context, longname, wanted);
  await recordOnApp(deps.store.db, context, appIdOf(context), { domains });
  await context.toast('ok', messages.domainAdded);
  return isThere ? { state: 'skipped', note: `Dokku made the app with ${wanted}.` } : undefined;
}

/**
 * Code that does not build or start is a warning and does not end the creation: the app is there, and its page deploys again. What did
 * not reach Dokku, such as a repository that GitHub does not hand over, ends it, so that it can be run again.
 */
async function deploy(deps: Deps, context: Context, begin: BeginApp): Promise<StepOutcome | undefined> {
  const { longname } = context.input;
  const problem = await deps.deployFirst(context, longname, begin).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProblemError && error.code === 'remote_failed') return error;
      throw error;
    },
  );
  await readAgain(deps.store, { ...context, input: { appId: appIdOf(context), longname } });
  if (problem !== null)
    return { state: 'warned', note: `${problem.message} The app is there and waits for a push.` };
  await context.remember({ begun: begin.from });
  await context.toast('ok', 'App deployed');
  return undefined;
}

/** A failure here is a warning and does not end the creation, because HTTPS can be enabled later. */
async function https(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const email = context.input.httpsEmail;
  if (email === null) return { state: 'skipped' };
  const app = { appId: appIdOf(context), longname: context.input.longname };
  const refused = await refuseStray(deps, context);
  if (refused !== null) return { state: 'warned', note: `HTTPS was not enabled: ${refused}` };
  if (!(await setAuthorityEmail(context, app, email, { accept: 'any' })))
    return {
      state: 'warned',
      note: 'HTTPS was not enabled: the letsencrypt plugin is not installed on this server.',
    };
  const { issued, note } = await getCertificate(deps.store.db, context, app);
  if (!issued) {
    const failed = 'HTTPS was not enabled; the log says why. It can be tried again on the app’s page.';
    return { state: 'warned', note: note === null ? failed : `${failed} ${note}` };
  }
  return scheduleRenewal(context);
}

/** Why no certificate is asked for on a server that is known by a name: a failed request counts against the authority’s limit. */
async function refuseStray(deps: Deps, context: Context): Promise<string | null> {
  const server = await serverOf(deps, context);
  const { domains } = await findApp({ owner: context.owner, db: deps.store.db }, appIdOf(context));
  if (domains.length === 0) return 'the app has no domain yet. Add one on its page, then enable HTTPS there.';
  const stray = await strayDomains(deps.addresses, context, server, domains);
  if (stray.length === 0) return null;
  return `${stray.join(', ')} cannot be seen to lead to this server. The app’s page checks it again.`;
}

async function instructions(deps: Deps, context: Context): Promise<undefined> {
  const server = await serverOf(deps, context);
  const app = await findApp({ owner: context.owner, db: deps.store.db }, appIdOf(context));
  const keys = await deps.store.db
    .selectFrom('keys')
    .select('name')
    .where('owner_id', '=', context.owner)
    .where('id', 'in', context.input.keyIds)
    .execute();
  const names = keys.map((key) => key.name);
  await context.result({
    appId: app.id,
    serverKey: app.server_key,
    longname: app.longname,
    begun: context.facts.begun ?? null,
    // The starter's files lie on the server alone.
    instructions: deployInstructions(server, app, names, { toClone: context.facts.begun === 'starter' }),
  });
  return undefined;
}

function appIdOf(context: Context): string {
  return z.uuid().parse(context.facts.appId);
}
