import { installScript } from '@homeport/agent';
import type { Configuration } from '@homeport/contract/identity/schema';
import type { Ceilings } from '@homeport/contract/limits';
import { reachableUrl } from '@homeport/contract/network/loopback';
import { routes } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { ConnectionPool } from '@homeport/ssh';
import type { OwnerRead, Store } from '@homeport/store';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { accountHandlers } from './account/handlers.ts';
import { addDomain } from './apps/changes/add-domain.ts';
import { addStorage } from './apps/changes/add-storage.ts';
import { changePlan } from './apps/changes/change-plan.ts';
import { changePorts } from './apps/changes/change-ports.ts';
import { controlApp } from './apps/changes/control-app.ts';
import { createApp } from './apps/changes/create-app.ts';
import { destroyApp } from './apps/changes/destroy-app.ts';
import { enableHttps } from './apps/changes/enable-https.ts';
import { removeDomain } from './apps/changes/remove-domain.ts';
import { deployCommit } from './apps/commits/deploy-commit.ts';
import { commitHandlers } from './apps/commits/handlers.ts';
import { continuousHandlers } from './apps/continuous/handlers.ts';
import { deploymentLeaving } from './apps/continuous/leave.ts';
import { setUpDeployment } from './apps/continuous/set-up-deployment.ts';
import { undoDeployment } from './apps/continuous/undo-deployment.ts';
import { deployKeyHandlers } from './apps/deploy-key/handlers.ts';
import { leaveWithAccount, readLeaving, serverKeys, serverKeysRemover } from './apps/deploy-key/leave.ts';
import { keyLeavingSteps, removeDeployKeyOperation } from './apps/deploy-key/remove-key.ts';
import { appHandlers } from './apps/handlers.ts';
import type { AppDeps } from './apps/reach-app.ts';
import { appSettingsHandlers } from './apps/settings-handlers.ts';
import { uptimeHandlers } from './apps/uptime-handlers.ts';
import { avatarHandlers } from './avatar/handlers.ts';
import { createCloudflare } from './cloudflare/client.ts';
import { createLimiter } from './cloudflare/limiter.ts';
import { requireConfirmed } from './confirmation/confirmed.ts';
import { createConnectionSource } from './connections/connection-source.ts';
import { connectionHandlers } from './connections/handlers.ts';
import { credentialHandlers } from './credentials/handlers.ts';
import { linkDatabase, promoteDatabase, unlinkDatabase } from './databases/changes/change-links.ts';
import { clearRemains } from './databases/changes/clear-remains.ts';
import { controlDatabase } from './databases/changes/control-database.ts';
import { createDatabase } from './databases/changes/create-database.ts';
import { deleteDatabase } from './databases/changes/delete-database.ts';
import { dumpDatabase } from './databases/changes/dump-database.ts';
import { exposeDatabase, unexposeDatabase } from './databases/changes/expose-database.ts';
import { restoreDatabase } from './databases/changes/restore-database.ts';
import { installBackupClient, runBackup } from './databases/changes/run-backup.ts';
import { testDump } from './databases/changes/test-dump.ts';
import { dumpHandlers } from './databases/dumps/handlers.ts';
import { databaseHandlers } from './databases/handlers.ts';
import { backupHandlers } from './databases/schedules/handlers.ts';
import type { DomainDeps } from './domains/account.ts';
import { checkZones } from './domains/check-zones.ts';
import { domainHandlers } from './domains/handlers.ts';
import { keepReadingZones } from './domains/read-zones-again.ts';
import { orphanedRemover } from './domains/remove-orphaned.ts';
import { type MakeWildcard, wildcardMaker } from './domains/wildcard.ts';
import type { GithubDeps } from './github/account.ts';
import { githubHandlers } from './github/handlers.ts';
import { type OAuthAppDeps, readOAuthApp } from './github/oauth-app.ts';
import { type GithubConfiguration, githubDotCom } from './github/settings.ts';
import { createAdmission, type Pace } from './http/admission.ts';
import type { Handlers } from './http/handlers.ts';
import { createLiveRequests } from './http/live-requests.ts';
import { mount } from './http/mount.ts';
import { createOpenStream } from './http/open-stream.ts';
import { authTable } from './identity/auth-table.ts';
import { identityHandlers } from './identity/handlers.ts';
import { holderForStats } from './identity/identifier.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { createChanges } from './live/changes.ts';
import { liveHandlers } from './live/handlers.ts';
import { defaultLiveLimits, type LiveLimits } from './live/live-limits.ts';
import { notifyChange } from './live/notify-change.ts';
import { createMailer, type Mailer, type SmtpSettings } from './mail/mailer.ts';
import { createChannels } from './notifications/channels.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { startDelivery } from './notifications/start-delivery.ts';
import { describeApi } from './openapi/document.ts';
import type { AnyOperationDefinition } from './operations/definition.ts';
import { createOperationEngine } from './operations/engine.ts';
import { followOperations } from './operations/follow.ts';
import { operationHandlers } from './operations/handlers.ts';
import { passkeyHandlers } from './passkeys/handlers.ts';
import { relyingPartyOf } from './passkeys/verify.ts';
import type { PlaneAddress } from './proxies/ask-plane.ts';
import type { ProxyDeps } from './proxies/deps.ts';
import { proxyHandlers } from './proxies/handlers.ts';
import { readTxtFrom } from './proxies/read-txt.ts';
import { createRuleWork } from './proxies/rule-worker/rule-work.ts';
import type { FrontDoor } from './records/proxy-record.ts';
import { createTargetPolicy } from './remote/target-policy.ts';
import { sealAgain } from './sealing/seal-again.ts';
import { createSealer, type Sealer } from './sealing/sealer.ts';
import { startSecurityMails } from './security-events/send-mails.ts';
import { serverHandlers } from './servers/handlers.ts';
import { importApps } from './servers/import/import-apps.ts';
import { importDatabases } from './servers/import/import-databases.ts';
import { readUnreadApps } from './servers/import/read-unread.ts';
import { addDokku } from './servers/install/add-dokku.ts';
import { installServer } from './servers/install/install-server.ts';
import { reinstallAgent } from './servers/reinstall-agent.ts';
import { removeServerOperation } from './servers/remove-server.ts';
import { replaceGlobalDomain } from './servers/replace-global-domain.ts';
import { reportUrlFor } from './servers/report-url.ts';
import { tendServer } from './servers/tend-server.ts';
import { updateAccount } from './servers/update-account.ts';
import { updatePlugin } from './servers/update-plugin.ts';
import { tokenHandlers } from './tokens/handlers.ts';

export { createIdentifier, type Identifier } from './identity/identifier.ts';
export type { SmtpSettings } from './mail/mailer.ts';
export { addProxy } from './proxies/add-proxy.ts';
export { addRule } from './proxies/change-rules.ts';
export { createRuleWork } from './proxies/rule-worker/rule-work.ts';
export { addServer } from './servers/add-server.ts';
export { suggestSubdomain } from './servers/suggest-subdomain.ts';

export type ApiConfiguration = Pick<
  Configuration,
  'version' | 'publicUrl' | 'appDomain' | 'signUps' | 'promos' | 'demo'
> & {
  /** What one person may hold at once. */
  ceilings: Ceilings;
  smtp: SmtpSettings | null;
  /** How visitors reach the proxy service. */
  proxy: FrontDoor & {
    plane: PlaneAddress;
    /** Asked for the records of domains, as `address` or `address:port`. None: those of the system. */
    dnsServers: readonly string[];
    /** The program that reads patterns and pages of people: the built `proxies/rule-worker/worker.ts`. */
    ruleWorker: string;
  };
  /** At least 32 random characters, the same in every replica and after a restart. */
  secret: string;
  /** The secret that `secret` replaced; null: none. */
  previousSecret: string | null;
  /** The operator's token for the zone of `appDomain`; null: none. */
  appDomainToken: string | null;
  /** The base address of Cloudflare's API, with its path. */
  cloudflareUrl: string;
  /** The console listens on a loopback address only. */
  loopback: boolean;
  /** Null: no sign-in with GitHub, and no repositories. */
  /** Null: github.com, with the OAuth app that the owner may enter on a page. */
  github: GithubConfiguration | null;
  /** Servers may have private and loopback addresses. */
  allowPrivateTargets: boolean;
  /** Ports of this machine at which the console itself answers. */
  consolePorts: readonly number[];
  /** `host:port` that agents measure their connect times to. */
  pings: Partial<Record<'eu' | 'us' | 'asia', string>>;
  /** True if no other process runs operations on this store, as with the embedded store. */
  sole: boolean;
  /** How many pages may be open at once. */
  live: Pick<LiveLimits, 'socketsPerSession' | 'socketsPerPerson'>;
};

export type ApiDeps = {
  store: Store;
  configuration: ApiConfiguration;
  log: FastifyBaseLogger;
  /** Shows a text to the person at the terminal. */
  announce: (text: string) => void;
  /** Epoch milliseconds. */
  clock: () => number;
  /** The TXT records of a name, which prove a domain. By default the system’s DNS servers are asked. */
  readTxt?: ProxyDeps['readTxt'];
  /** How fast one caller's requests go through; by default as the console promises. */
  pace?: Pace;
};

export type Api = {
  /** Adds every route below /api. */
  register(fastify: FastifyInstance): Promise<void>;
  /** Returns who is signed in on a request, for routes of other services. */
  identify(request: FastifyRequest): Promise<SessionIdentity | null>;
  /** Ends the work in the background. The caller that opened the store closes the store. */
  close(): Promise<void>;
};

/** The api on an open store whose schema is up to date. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const { store, configuration, log, announce, clock } = deps;
  const readTxt = deps.readTxt ?? readTxtFrom(configuration.proxy.dnsServers);
  const { publicUrl, smtp, version, ceilings, appDomain, proxy } = configuration;
  const report = (error: unknown) => log.error({ err: error }, 'background work failed');
  const { domains, makeWildcard } = await prepareDomains(deps);
  const { githubApp, github } = prepareGithub(deps, domains.sealer);
  const liveRequests = createLiveRequests();
  const { pool, connections, closeAll } = holdConnections(deps, report);
  const mailer = createMailer({ store, smtp, announce, clock });
  const identity = await openIdentity(deps, { github, mailer, liveRequests, connections });
  const changes = await createChanges(store, report);
  const operationChanges = await followOperations(store);
  const targets = createTargetPolicy(configuration.allowPrivateTargets, configuration.consolePorts);
  const closeConnections = (serverId: string) => pool.closeServer(serverId);
  const engine = await createOperationEngine({
    store,
    connections,
    log,
    sole: configuration.sole,
    most: ceilings.operations,
    definitions: operationDefinitions({ github, domains, makeWildcard }, configuration, closeConnections),
  });
  const endReading = readUnreadApps({ store, connections, log });
  const readingZones = keepReadingZones(domains, report);
  const mails = startSecurityMails({ store, mailer, publicUrl, clock, log });
  const telling = startDelivery({ store, channels: createChannels(smtp && mailer, publicUrl), log, clock });

  const agentLine = agentReports(configuration);
  const work = createRuleWork(proxy.ruleWorker);
  const onServers = { store, engine, connections, ceilings };
  const admission = createAdmission(deps.pace);
  const openStream = createOpenStream(() => handlers, identity.isOwner, admission);
  const handlers: Handlers = {
    ...personHandlers(deps, identity, mailer, github),
    ...accountHandlers({ store, identity, publicUrl, clock, ...leavingWith(github, report) }),
    ...liveHandlers({ changes, openStream, limits: { ...defaultLiveLimits, ...configuration.live }, log }),
    ...connectionHandlers({ store, pool, targets, log, clock, ceilings }),
    ...operationHandlers({ db: store.db, engine, subscribe: operationChanges.subscribe }),
    ...serverHandlers({
      ...onServers,
      ...serverKeys(github),
      ...{ clock, closeConnections, targets, appDomain, agentLine },
    }),
    ...appHandlers(onServers),
    ...appSettingsHandlers({ ...onServers, checkZones: (owner, app) => checkZones(domains, owner, app) }),
    ...databaseHandlers(onServers),
    ...dumpHandlers(onServers),
    ...domainHandlers(domains),
    ...githubHandlers(github, githubApp, (session) => leaveWithAccount(onServers, github, session)),
    ...avatarHandlers(github),
    ...deployHandlers(onServers, github),
    ...proxyHandlers({ store, ceilings, door: proxy, plane: proxy.plane, work, readTxt, clock }),
    ...backupHandlers(onServers),
    ...uptimeHandlers({ store }),
  };
  const openApi = describeApi({ ...authTable, ...routes }, version, publicUrl);

  return {
    register: (fastify) =>
      mount(fastify, handlers, {
        publicUrl,
        readSession: identity.readSession,
        isOwner: identity.isOwner,
        callerOf: identity.callerOf,
        requireConfirmed: (session) => requireConfirmed(store.db, session, clock()),
        admission,
        liveRequests,
        streamsPerPerson: ceilings.streams,
        also(scope, guard) {
          identity.mount(scope, guard);
          addDocuments(scope, guard, openApi);
        },
      }),
    identify: async (request) => holderForStats((await identity.readSession(request))?.session ?? null),
    async close() {
      liveRequests.endAll();
      await work.close();
      await telling.close();
      await mails.close();
      await readingZones.close();
      await endReading();
      await engine.close();
      closeAll();
      operationChanges.close();
      changes.close();
      await identity.close();
      mailer.close();
    },
  };
}

type Entrance = {
  github: GithubDeps;
  mailer: Mailer;
  liveRequests: ReturnType<typeof createLiveRequests>;
  connections: Pick<ReturnType<typeof holdConnections>['connections'], 'endSession'>;
};

function openIdentity(
  { store, configuration, log, clock }: ApiDeps,
  { github, mailer, liveRequests, connections }: Entrance,
) {
  const { publicUrl, secret, loopback, ceilings } = configuration;
  return createIdentity({
    store,
    publicUrl,
    secret,
    github,
    disconnectGithub: (scope) => readLeaving(github, scope),
    loopback,
    signUps: configuration.signUps,
    mailer,
    log,
    clock,
    sessionsPerPerson: ceilings.sessions,
    onSessionEnded: (sessionId) => {
      liveRequests.endSession(sessionId);
      connections.endSession(sessionId);
    },
    heldSessions: liveRequests.sessionIds,
  });
}

/** What the parts of GitHub need, and what the console's own OAuth app there needs. */
function prepareGithub({ store, configuration, clock }: ApiDeps, sealer: Sealer) {
  const { github, publicUrl, secret } = configuration;
  const githubApp: OAuthAppDeps = { store, sealer, settings: github ?? githubDotCom, publicUrl, clock };
  const deps: GithubDeps = { ...githubApp, secret, readApp: () => readOAuthApp(githubApp) };
  return { githubApp, github: deps };
}

/** How an account leaves GitHub when it is deleted. */
const leavingWith = (github: GithubDeps, report: (error: unknown) => void) => ({
  readLeaving: (scope: OwnerRead) => readLeaving(github, scope),
  report,
});

/** The ways in which a repository at GitHub is deployed. */
const deployHandlers = (onServers: AppDeps, github: GithubDeps) => ({
  ...continuousHandlers(onServers, github),
  ...commitHandlers(onServers, github),
  ...deployKeyHandlers(onServers, github),
});

/** The handlers that need the person alone: the account's keys, tokens and mail. */
function personHandlers(
  { store, clock, configuration }: ApiDeps,
  identity: Identity,
  mailer: Mailer,
  { readApp }: GithubDeps,
) {
  const { ceilings, smtp, publicUrl } = configuration;
  const { passwords, signUps, limits } = identity;
  const shown = shownConfiguration(configuration);
  const party = relyingPartyOf(publicUrl);
  return {
    ...identityHandlers({
      store,
      clock,
      signUps,
      mailer,
      passwords,
      limits,
      ceilings,
      configuration: shown,
      readApp,
    }),
    ...tokenHandlers({ store, clock, ceilings }),
    ...passkeyHandlers({ store, party, clock, most: ceilings.passkeys }),
    ...credentialHandlers({ store, clock, ceilings }),
    ...notificationHandlers({ store, clock, mailConfigured: smtp !== null }),
  };
}

/** The connections to servers. Their owners' pages hear of each that opens or closes. */
function holdConnections({ store, log }: ApiDeps, report: (error: unknown) => void) {
  const pool = new ConnectionPool();
  const connections = createConnectionSource(pool, (...opened) => tendServer({ store, log }, ...opened));
  const stopTelling = connections.onOwnersChange((owner, serverId) => {
    notifyChange(store.db, owner, 'connections', serverId).catch(report);
  });
  return {
    pool,
    connections,
    closeAll() {
      stopTelling();
      pool.dispose();
    },
  };
}

/** What the domains of linked accounts need. Credentials that an earlier secret sealed are sealed again first. */
async function prepareDomains({
  store,
  configuration,
  log,
  clock,
}: ApiDeps): Promise<{ domains: DomainDeps; makeWildcard: MakeWildcard | null }> {
  const { secret, previousSecret, cloudflareUrl, appDomain, appDomainToken: token } = configuration;
  const sealer = createSealer({ secret, previous: previousSecret });
  await sealAgain(store, sealer, log);
  const cloudflare = createCloudflare({ baseUrl: cloudflareUrl, limiter: createLimiter(clock) });
  return {
    domains: { store, sealer, cloudflare, clock, appDomain, proxyHost: configuration.proxy.proxyHost },
    makeWildcard: appDomain && token ? wildcardMaker(cloudflare, { appDomain, token }) : null,
  };
}

/** Texts that everybody may read and that stay the same while the console runs. */
function addDocuments(scope: FastifyInstance, guard: onRequestAsyncHookHandler[], openApi: object): void {
  scope.get('/openapi.json', { onRequest: guard }, () => openApi);
  scope.get('/agent/install.sh', { onRequest: guard }, (_request, reply) =>
    reply.type('text/x-shellscript; charset=utf-8').send(installScript),
  );
}

/** Where agents report to, and what they measure. */
const agentReports = ({ publicUrl, pings }: Pick<ApiConfiguration, 'publicUrl' | 'pings'>) => ({
  reportUrl: (server: { ip: string }) => reportUrlFor(server, publicUrl),
  pings,
});

/** What operations need of the services at which people link accounts. */
type LinkedServices = { github: GithubDeps; domains: DomainDeps; makeWildcard: MakeWildcard | null };

/** The definitions of every kind of operation. */
function operationDefinitions(
  { github, domains, makeWildcard }: LinkedServices,
  { publicUrl, pings, appDomain, ceilings }: ApiConfiguration,
  closeConnections: (serverId: string) => void,
): AnyOperationDefinition[] {
  const { store } = github;
  const { db } = store;
  const removeOrphaned = orphanedRemover(domains);
  const installation = { db, ...agentReports({ publicUrl, pings }), appDomain, makeWildcard };
  return [
    installServer(installation),
    addDokku(installation),
    reinstallAgent(installation),
    updateAccount(installation),
    updatePlugin(installation),
    replaceGlobalDomain(installation),
    removeServerOperation({
      db,
      closeConnections,
      removeOrphaned,
      removeKeys: serverKeysRemover(github),
    }),
    importApps({ store, appDomain, ceilings }),
    importDatabases({ store, most: ceilings.databases }),
    createApp({ store, appDomain, most: ceilings.apps }),
    ...controlApp(store),
    destroyApp({
      store,
      removeOrphaned,
      leavePushes: (from) => deploymentLeaving(github, from, { isWhole: true }),
      keySteps: (of) => keyLeavingSteps(github, { of, isWhole: true }),
    }),
    changePlan({ db }),
    addDomain({ db }),
    removeDomain({ db, removeOrphaned }),
    enableHttps({ db }),
    addStorage(),
    changePorts({ db }),
    setUpDeployment(github),
    undoDeployment(github),
    deployCommit(github),
    removeDeployKeyOperation(github),
    createDatabase({ store, most: ceilings.databases }),
    clearRemains(store),
    ...controlDatabase(store),
    linkDatabase(store),
    unlinkDatabase(store),
    promoteDatabase(store),
    exposeDatabase(store),
    unexposeDatabase(store),
    deleteDatabase(store),
    dumpDatabase(store),
    restoreDatabase(store),
    runBackup(store),
    installBackupClient(store),
    testDump(store),
  ];
}

/** The part of the configuration that a page may read. */
function shownConfiguration(
  configuration: ApiConfiguration,
): Omit<Configuration, 'signUps' | 'githubSignIn'> {
  const { version, publicUrl, appDomain, promos, smtp, demo, github } = configuration;
  return {
    version,
    publicUrl,
    reachableUrl: reachableUrl(publicUrl),
    appDomain,
    proxyHost: configuration.proxy.proxyHost,
    promos,
    mailConfigured: smtp !== null,
    githubUrl: (github ?? githubDotCom).site,
    demo,
  };
}
