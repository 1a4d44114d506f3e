import { globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { messages } from '@homeport/contract/messages';
import { isDokkuAtLeast, oldestDokku, tooOldDokku } from '@homeport/contract/servers/dokku-versions';
import { installPercents } from '@homeport/contract/servers/facts';
import { probe } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { MakeWildcard } from '../../domains/wildcard.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type Step,
  type StepContext,
} from '../../operations/definition.ts';
import { findServer } from '../../records/server-record.ts';
import { recordServerFacts } from '../server-changes.ts';
import { tryConsoleAccount } from './console-account.ts';
import { installPlugin } from './dokku-plugin.ts';
import { giveAccountKey } from './give-account-key.ts';
import { lookAtLogin } from './inspect-login.ts';
import { type AgentDeps, installAgent } from './install-agent.ts';
import { installAppPlugins, installDokku } from './install-dokku.ts';
import { settleGlobalDomain } from './settle-global-domain.ts';

export type InstallDeps = AgentDeps & {
  appDomain: string | null;
  /** Makes the DNS record of the claimed subdomain; null: the console has no credential for the shared suffix. */
  makeWildcard: MakeWildcard | null;
};

const input = z.object({ serverId: z.uuid(), metal: z.boolean() });
type Input = z.output<typeof input>;
/** What the steps of Dokku need; other operations have them, too. */
type OnServer = Pick<Input, 'serverId'>;
type Context = StepContext<Input>;

/**
 * The installation of a server, with the steps and percentages of the specification. Each step can be
 * repeated.
 */
export function installServer(deps: InstallDeps): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'server.install',
    input,
    title: () => 'Installation',
    steps: ({ metal }) => [
      {
        key: 'verify',
        title: messages.verifying,
        percent: installPercents.verify,
        run: (context) => verify(deps, context),
      },
      {
        key: 'agent',
        title: messages.installingMonitoring,
        percent: installPercents.agent,
        run: (context) => agent(deps, context),
      },
      ...(metal ? [metalStep] : dokkuSteps(deps)),
      {
        key: 'finish',
        title: 'Checking the result',
        percent: metal ? installPercents.finishWithoutDokku : installPercents.finish,
        run: (context) => finish(deps, context),
      },
    ],
    async onFailure(context, step) {
      await recordServerFacts(deps.db, context.owner, context.input.serverId, { setup: 'failed' });
      if (step.key === 'agent') await context.toast('bad', messages.monitoringFailed);
      if (
        step.key === 'dokku' ||
        step.key === 'configure' ||
        step.key === 'plugins' ||
        step.key === 'own-plugin'
      )
        await context.toast('bad', messages.bootstrapFailed);
    },
  });
}

const metalStep: Step<Input> = {
  key: 'configure',
  title: messages.configuringServer,
  percent: installPercents.configure,
  run: async () => ({ note: 'Nothing else to install: this server is used without Dokku.' }),
};

export const dokkuSteps = (deps: InstallDeps): Step<OnServer>[] => [
  {
    key: 'dokku',
    title: messages.installingDokku,
    percent: installPercents.dokku,
    run: (context) => dokku(deps, context),
  },
  {
    key: 'plugins',
    title: messages.configuringServer,
    percent: installPercents.plugins,
    run: async (context) => {
      const server = await serverOf(deps, context);
      const wanted = globalDomainOf(server, deps.appDomain);
      const settled = hasOwnWildcard(server)
        ? await settleGlobalDomain(deps.db, context, server, wanted)
        : `This server is known by a name. Apps made here get a domain under ${wanted} where somebody made the DNS record *.${wanted}. Dokku’s global domain stays as it is.`;
      return installAppPlugins(context, settled);
    },
  },
  {
    key: 'own-plugin',
    title: 'Adding Homeport’s own Dokku plugin',
    percent: installPercents.ownPlugin,
    run: async (context) => installPlugin(deps.db, context, await serverOf(deps, context)),
  },
  ...(deps.makeWildcard ? [wildcardStep(deps, deps.makeWildcard)] : []),
];

const wildcardStep = (deps: InstallDeps, makeWildcard: MakeWildcard): Step<OnServer> => ({
  key: 'wildcard',
  title: 'Making the DNS record of its subdomain',
  percent: installPercents.ownPlugin,
  run: async (context) => makeWildcard(await serverOf(deps, context)),
});

const serverOf = (deps: { db: Kysely<Database> }, context: { owner: Owner; input: { serverId: string } }) =>
  findServer({ owner: context.owner, db: deps.db }, context.input.serverId);

async function verify(deps: InstallDeps, context: Context) {
  const { serverId, metal } = context.input;
  await recordServerFacts(deps.db, context.owner, serverId, { setup: 'installing' });
  const login = await lookAtLogin(deps.db, context);
  const machine = probe.readProbe(
    await context.run('root', probe.probe(), {
      shown: 'uname -m; nproc; free; df; docker version; dokku version',
    }),
  );
  await recordServerFacts(deps.db, context.owner, serverId, {
    sandbox: login.sandbox !== null,
    git_user: login.sandbox?.gitUser ?? 'dokku',
    dokku_version: machine.dokkuVersion,
  });
  if (login.kind === 'plain' && !login.sandbox) {
    throw new ProblemError('not_allowed', 'The account may not become root, which the installation needs.', {
      recovery: 'Link the server as root, or as a user who may use sudo without a password.',
    });
  }
  return (
    (metal ? undefined : warnOfLittleSpace(machine)) ?? {
      note: `${machine.osId ?? 'Linux'} ${machine.osVersion ?? ''}, ${machine.architecture ?? 'unknown processor'}`.replace(
        ' ,',
        ',',
      ),
    }
  );
}

/** A warning where the disk has too little space for Dokku, which is not there yet. */
export function warnOfLittleSpace({
  dokkuVersion,
  diskFreeBytes,
}: Pick<ReturnType<typeof probe.readProbe>, 'dokkuVersion' | 'diskFreeBytes'>) {
  if (dokkuVersion || diskFreeBytes === null || diskFreeBytes >= 5 * 1024 ** 3) return undefined;
  return {
    state: 'warned' as const,
    note: 'Less than 5 GB of disk space is free; Dokku and its images need about 10 GB.',
  };
}

async function agent(deps: InstallDeps, context: Context) {
  const server = await serverOf(deps, context);
  if (!server.monitor_id) throw new ProblemError('conflict', messages.noMonitorId);
  const accountNote = await giveAccountKey(deps.db, context, server);
  await context.progress(22);
  await installAgent(deps, context, server);
  return accountNote ? { state: 'warned' as const, note: accountNote } : undefined;
}

async function dokku(deps: InstallDeps, context: StepContext<OnServer>) {
  const server = await serverOf(deps, context);
  const hostname = globalDomainOf(server, deps.appDomain);
  const version = await installDokku(context, { hostname, isGlobal: hasOwnWildcard(server) });
  await recordServerFacts(deps.db, context.owner, server.id, { dokku_version: version });
  if (!isDokkuAtLeast(version, oldestDokku)) {
    await context.toast('warning', tooOldDokku(version));
    return { state: 'warned' as const, note: tooOldDokku(version) };
  }
  return { note: `Dokku ${version}` };
}

async function finish(deps: InstallDeps, context: Context) {
  const facts: { setup: 'ready'; console_account?: boolean } = { setup: 'ready' };
  if (context.facts.accountMade === true && !context.input.metal) {
    const works = await context.run('root', tryConsoleAccount(), { accept: 'any' });
    facts.console_account = works.exitCode === 0;
  }
  await recordServerFacts(deps.db, context.owner, context.input.serverId, facts);
  await context.toast('ok', messages.setupCompleted);
  return { note: messages.setupCompleted };
}
