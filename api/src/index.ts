import { installScript } from '@homeport/agent';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import { routes } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { terminalTimes } from '@homeport/contract/terminals/facts';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { accountHandlers } from './account/handlers.ts';
import { leaveWithAccount, readLeaving, serverKeys, serverKeysRemover } from './apps/deploy-key/leave.ts';
import { appOperations, appRoutes } from './apps/feature.ts';
import { lookupThrough } from './apps/state/check-https.ts';
import { avatarHandlers } from './avatar/handlers.ts';
import { chartHandlers } from './charts/handlers.ts';
import { type ApiDeps, shownConfiguration } from './configuration.ts';
import { requireConfirmed } from './confirmation/confirmed.ts';
import { connectionHandlers } from './connections/handlers.ts';
import { type BackupDeps, openBackups } from './console/backups/deps.ts';
import { keepBackingUp } from './console/backups/schedule.ts';
import { consoleHandlers } from './console/handlers.ts';
import { credentialHandlers } from './credentials/handlers.ts';
import { databaseOperations, databaseRoutes } from './databases/feature.ts';
import { destinationHandlers } from './destinations/handlers.ts';
import { deviceHandlers } from './device/handlers.ts';
import { pointAtApp } from './domains/app-dns.ts';
import { checkZones } from './domains/check-zones.ts';
import { addressChanger } from './domains/follow/change-addresses.ts';
import { domainHandlers } from './domains/handlers.ts';
import { keepReadingZones } from './domains/read-zones-again.ts';
import { orphanedRemover } from './domains/remove-orphaned.ts';
import { githubHandlers } from './github/handlers.ts';
import { createAdmission } from './http/admission.ts';
import type { Handlers } from './http/handlers.ts';
import { mount } from './http/mount.ts';
import { createOpenStream } from './http/open-stream.ts';
import { createSeats } from './http/seats.ts';
import { authTable } from './identity/auth-table.ts';
import { identityHandlers } from './identity/handlers.ts';
import { holderForStats } from './identity/identifier.ts';
import { createChanges } from './live/changes.ts';
import { liveHandlers } from './live/handlers.ts';
import { defaultLiveLimits } from './live/live-limits.ts';
import { mountMcp } from './mcp/endpoint.ts';
import { type Channels, createChannels } from './notifications/channels.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { serviceAddress } from './notifications/http/http-channel.ts';
import { startDelivery } from './notifications/start-delivery.ts';
import { type AskBot, createAskBot } from './notifications/telegram/bot.ts';
import { makePushKeys, readPushKeys } from './notifications/web-push/push-keys.ts';
import { describeApi } from './openapi/document.ts';
import type { AnyOperationDefinition } from './operations/definition.ts';
import { createOperationEngine, type OperationEngine } from './operations/engine.ts';
import { followOperations } from './operations/follow.ts';
import { operationHandlers } from './operations/handlers.ts';
import { passkeyHandlers } from './passkeys/handlers.ts';
import { relyingPartyOf } from './passkeys/verify.ts';
import { createCallHistory } from './program-calls/call-history.ts';
import { programCallHandlers } from './program-calls/handlers.ts';
import { proposalHandlers } from './proposals/handlers.ts';
import { proxyHandlers } from './proxies/handlers.ts';
import { createProxyPace } from './proxies/proxy-pace.ts';
import { readTxtFrom } from './proxies/read-txt.ts';
import { createRuleWork } from './proxies/rule-worker/rule-work.ts';
import { createNewsGate, createWebsiteGate } from './remote/target-policy.ts';
import { startSecurityMails } from './security-events/send-mails.ts';
import { agentReports, serverOperations } from './servers/feature.ts';
import { serverHandlers } from './servers/handlers.ts';
import { readUnreadApps } from './servers/import/read-unread.ts';
import { openServices, type Services } from './services.ts';
import { statusPageHandlers } from './status-pages/handlers.ts';
import { terminalHandlers } from './terminals/handlers.ts';
import { tokenHandlers } from './tokens/handlers.ts';

export type { ApiConfiguration, ApiDeps } from './configuration.ts';
export {
  type BackupCopies,
  BackupFailed,
  type BackupFolder,
  type BackupProof,
  type MadeBackup,
} from './console/backups/backup-folder.ts';
export { createIdentifier, type Identifier } from './identity/identifier.ts';
export { makeOwnerLink } from './identity/ways-in/reset-links.ts';
export type { SmtpSettings } from './mail/mailer.ts';
export { addProxy } from './proxies/add-proxy.ts';
export { addRule } from './proxies/change-rules.ts';
export { createRuleWork } from './proxies/rule-worker/rule-work.ts';
export { addServer } from './servers/add-server.ts';
export { suggestSubdomain } from './servers/subdomain/suggest-subdomain.ts';

export type Api = {
  /** Adds every route below /api, and /mcp. */
  register(fastify: FastifyInstance): Promise<void>;
  /** Returns who is signed in on a request, for routes of other services. */
  identify(request: FastifyRequest): Promise<SessionIdentity | null>;
  /** Ends the work in the background. The caller that opened the store closes the store. */
  close(): Promise<void>;
};

/** The api on an open store whose schema is up to date. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const { store, configuration, log, clock } = deps;
  const { publicUrl, smtp, ceilings } = configuration;
  const services = await openServices(deps);
  const { identity, mailer, liveRequests, connections, report } = services;
  const changes = await createChanges(store, report);
  const operationChanges = await followOperations(store);
  const definitions = operationDefinitions(deps, services);
  const appsOver = appRoutesOver(deps, services);
  const engine = await createOperationEngine({
    store,
    connections,
    log,
    sole: configuration.sole,
    most: ceilings.operations,
    definitions,
  });
  const endReading = readUnreadApps({ store, connections, log });
  const readingZones = keepReadingZones(services.domains, report);
  const mails = startSecurityMails({ store, mailer, publicUrl, clock, log });
  const backups = openBackups({ store, folder: deps.backups, clock, report });
  const backingUp = keepBackingUp(backups);
  const way = { gate: createNewsGate(configuration), addressOf: deps.serviceAddress ?? serviceAddress };
  const { sealer } = services.domains;
  await makePushKeys({ store, sealer, log, clock });
  const push = {
    publicGate: deps.pushGate ?? createNewsGate({ ...configuration, allowPrivateTargets: false }),
    pushKeys: () => readPushKeys({ store, sealer }),
  };
  const channels = createChannels({
    ...{ mailer: smtp && mailer, publicUrl, sealer, clock, ...way, ...push },
  });
  const delivery = startDelivery({ store, channels, log, clock });
  const work = createRuleWork(configuration.proxy.ruleWorker);
  const history = createCallHistory({ store, clock, report });
  const admission = createAdmission(deps.pace);
  const openStream = createOpenStream(() => handlers, identity.isOwner, admission);
  const handlers: Handlers = {
    ...personRoutes(deps, services, { backups, channels, askBot: createAskBot(way) }),
    ...featureRoutes(deps, services, { engine, work }),
    ...appsOver(engine),
    ...proposalHandlers({ store, engine, definitions, publicUrl, handlersOver: appsOver }),
    ...terminalHandlers({
      ...{ store, connections: services.connections, pool: services.pool, parting: services.parting },
      ...{ changes, log },
      times: deps.terminalTimes ?? terminalTimes,
    }),
    ...liveHandlers({ changes, openStream, limits: { ...defaultLiveLimits, ...configuration.live }, log }),
    ...operationHandlers({ db: store.db, engine, subscribe: operationChanges.subscribe }),
  };
  const openApi = () => describeApi({ ...authTable, ...routes }, configuration.version, publicUrl);

  return {
    async register(fastify) {
      const guarded = { publicUrl, callerOf: identity.callerOf, admission };
      const { readSession, isOwner } = identity;
      await mount(fastify, handlers, {
        ...{ ...guarded, readSession, isOwner, liveRequests },
        requireConfirmed: (session) => requireConfirmed(store.db, session, clock()),
        streamsPerPerson: ceilings.streams,
        noteCall: history.note,
        also(scope, guard) {
          identity.mount(scope, guard);
          addDocuments(scope, guard, openApi);
        },
      });
      await mountMcp(fastify, {
        ...{ ...guarded, readSession, liveRequests, openStream, clock, noteCall: history.note },
        ...{ version: configuration.version, toolPace: deps.toolPace },
      });
    },
    identify: async (request) => holderForStats((await identity.readSession(request))?.session ?? null),
    async close() {
      liveRequests.endAll();
      await work.close();
      await delivery.close();
      await backingUp.close();
      await backups.close();
      await mails.close();
      await readingZones.close();
      await endReading();
      await engine.close();
      // What terminals left is ended over their connections.
      await services.parting.allDone();
      services.closeConnections();
      operationChanges.close();
      changes.close();
      await history.close();
      await identity.close();
      mailer.close();
    },
  };
}

type Running = {
  engine: OperationEngine;
  work: ReturnType<typeof createRuleWork>;
};

/** The routes of what a person has: servers and what runs there, accounts elsewhere, and proxies. */
function featureRoutes(deps: ApiDeps, services: Services, { engine, work }: Running) {
  const { store, configuration, log, clock } = deps;
  const { publicUrl, ceilings, appDomain, proxy } = configuration;
  const { identity, github, githubApp, domains, pool, connections, report } = services;
  const onServers = { store, engine, connections, ceilings };
  const { targets, addresses } = services;
  const readTxt = deps.readTxt ?? readTxtFrom(proxy.dnsServers);
  return {
    ...accountHandlers({
      ...{ store, identity, publicUrl, clock, report },
      readLeaving: (scope) => readLeaving(github, scope),
    }),
    ...avatarHandlers(github),
    ...connectionHandlers({ store, pool, targets, log, clock, ceilings }),
    ...serverHandlers({
      ...{ ...onServers, ...serverKeys(github), clock, targets, addresses, appDomain },
      makesWildcards: services.makeWildcard !== null,
      closeConnections: (serverId) => pool.closeServer(serverId),
      ...agentReports(configuration, addresses),
    }),
    ...databaseRoutes(onServers),
    ...domainHandlers(domains),
    ...githubHandlers(github, githubApp, (session) => leaveWithAccount(onServers, github, session)),
    ...proxyHandlers({
      ...{ store, ceilings, work, readTxt, clock },
      ...{ door: proxy, plane: proxy.plane, pace: deps.proxyPace ?? createProxyPace() },
    }),
  };
}

/** Makes the routes of apps, which begin their operations with the engine that is given. */
function appRoutesOver(
  { store, configuration }: ApiDeps,
  { github, domains, connections, addresses, resolve }: Services,
) {
  const { ceilings, allowPrivateTargets, consolePorts, proxy } = configuration;
  const gate = createWebsiteGate(allowPrivateTargets, consolePorts, { resolve });
  const lookup = (signal: AbortSignal) => lookupThrough(gate, proxy.dnsServers, signal);
  return (engine: OperationEngine) =>
    appRoutes(
      {
        ...{ store, engine, connections, ceilings, lookup, addresses },
        checkZones: (owner, app, signal) => checkZones(domains, owner, app, signal),
      },
      github,
    );
}

/** The definitions of every kind of operation. */
function operationDefinitions(
  { store, configuration }: ApiDeps,
  { github, domains, makeWildcard, pool, addresses }: Services,
): AnyOperationDefinition[] {
  const { appDomain, ceilings } = configuration;
  const removeOrphaned = orphanedRemover(domains);
  return [
    ...serverOperations({
      ...{ store, appDomain, ceilings, makeWildcard, removeOrphaned },
      changeAddresses: addressChanger(domains),
      ...agentReports(configuration, addresses),
      closeConnections: (serverId) => pool.closeServer(serverId),
      removeKeys: serverKeysRemover(github),
    }),
    ...appOperations({
      ...{ github, appDomain, ceilings, removeOrphaned, addresses },
      pointAtApp: (owner, appId, wanted) => pointAtApp(domains, owner, appId, wanted),
    }),
    ...databaseOperations(store, ceilings),
  ];
}

/** The routes that need the person alone: the account's keys, tokens and mail. */
function personRoutes(
  { store, clock, configuration, log, postgres }: ApiDeps,
  { identity, mailer, github, domains }: Services,
  { backups, channels, askBot }: { backups: BackupDeps; channels: Channels; askBot: AskBot },
) {
  const { ceilings, smtp, publicUrl, secret, version, commit, sole } = configuration;
  const { passwords, signUps, limits } = identity;
  return {
    ...identityHandlers({
      ...{ store, clock, signUps, mailer, passwords, limits, ceilings },
      configuration: shownConfiguration(configuration),
      readApp: github.readApp,
    }),
    ...consoleHandlers({ backups, version, commit, embedded: sole, postgres }),
    ...tokenHandlers({ store, clock, ceilings }),
    ...programCallHandlers({ store, clock }),
    ...deviceHandlers({ store, clock, publicUrl, secret, most: ceilings.tokens }),
    ...passkeyHandlers({ store, party: relyingPartyOf(publicUrl), clock, most: ceilings.passkeys }),
    ...credentialHandlers({ store, clock, ceilings }),
    ...notificationHandlers({ store, clock, mailConfigured: smtp !== null }),
    ...chartHandlers({ store, clock }),
    ...statusPageHandlers({ store, clock, publicUrl, served: configuration.statusPages }),
    ...destinationHandlers({
      ...{ store, clock, log, channels, askBot, sealer: domains.sealer },
      chatLooks: createSeats(destinationLimits.chatLooks),
      ...{ most: ceilings.destinations, mailConfigured: smtp !== null },
    }),
  };
}

/** Texts that everybody may read and that stay the same while the console runs. The description of the api is made when it is first read. */
function addDocuments(
  scope: FastifyInstance,
  guard: onRequestAsyncHookHandler[],
  describe: () => Promise<object>,
): void {
  let openApi: Promise<Buffer> | undefined;
  scope.get('/openapi.json', { onRequest: guard }, async (_request, reply) => {
    openApi ??= describe().then((document) => Buffer.from(JSON.stringify(document)));
    return reply.type('application/json; charset=utf-8').send(await openApi);
  });
  scope.get('/agent/install.sh', { onRequest: guard }, (_request, reply) =>
    reply.type('text/x-shellscript; charset=utf-8').send(installScript),
  );
}
