import { ConnectionPool } from '@homeport/ssh';
import { readLeaving } from './apps/deploy-key/leave.ts';
import { createCloudflare } from './cloudflare/client.ts';
import { createLimiter } from './cloudflare/limiter.ts';
import type { ApiDeps } from './configuration.ts';
import { createConnectionSource } from './connections/connection-source.ts';
import { createParting } from './connections/parting.ts';
import type { DomainDeps } from './domains/account.ts';
import { type MakeWildcard, wildcardMaker } from './domains/wildcard.ts';
import type { GithubDeps } from './github/account.ts';
import { type OAuthAppDeps, readOAuthApp } from './github/oauth-app.ts';
import { githubDotCom } from './github/settings.ts';
import { createLiveRequests } from './http/live-requests.ts';
import { createIdentity } from './identity/identity.ts';
import { notifyChange } from './live/notify-change.ts';
import { createMailer } from './mail/mailer.ts';
import { resolveByDns } from './remote/resolve-by-dns.ts';
import { createServerAddresses, type ServerAddresses } from './remote/server-addresses.ts';
import { createTargetPolicy } from './remote/target-policy.ts';
import { sealAgain } from './sealing/seal-again.ts';
import { createSealer, type Sealer } from './sealing/sealer.ts';
import { tendServer } from './servers/tend-server.ts';

/** What several features share, opened once: accounts elsewhere, connections to servers, and who is signed in. */
export async function openServices(deps: ApiDeps) {
  const { store, configuration, log, announce, clock } = deps;
  const report = (error: unknown) => log.error({ err: error }, 'background work failed');
  const { allowPrivateTargets, consolePorts, proxy } = configuration;
  const resolve = deps.resolveServer ?? resolveByDns(proxy.dnsServers);
  const targets = createTargetPolicy(allowPrivateTargets, consolePorts, { resolve });
  const addresses = createServerAddresses(targets, log);
  const { domains, makeWildcard } = await prepareDomains(deps, addresses);
  const { githubApp, github } = prepareGithub(deps, domains.sealer);
  const { pool, connections, closeAll } = holdConnections(deps, report);
  const liveRequests = createLiveRequests();
  const parting = createParting();
  const mailer = createMailer({ store, smtp: configuration.smtp, announce, clock });
  const { publicUrl, secret, loopback, ceilings, signUps } = configuration;
  const identity = await createIdentity({
    ...{ store, publicUrl, secret, github, loopback, signUps, mailer, log, clock },
    disconnectGithub: (scope) => readLeaving(github, scope),
    sessionsPerPerson: ceilings.sessions,
    onSessionEnded: (sessionId) => {
      liveRequests.endSession(sessionId);
      connections.leaveSession(sessionId);
      parting.whenDone(sessionId, () => connections.endSession(sessionId));
    },
    // A session without an open request may hold a connection.
    heldSessions: () => [...new Set([...liveRequests.sessionIds(), ...pool.sessionIds()])],
  });
  return {
    ...{
      resolve,
      targets,
      addresses,
      domains,
      makeWildcard,
      githubApp,
      github,
      pool,
      connections,
      liveRequests,
      parting,
      mailer,
      identity,
      report,
    },
    /** The connections. Identity and mail end last, because other work still uses them while it ends. */
    closeConnections: closeAll,
  };
}

export type Services = Awaited<ReturnType<typeof openServices>>;

/** What the parts of GitHub need, and what the console's own OAuth app there needs. */
function prepareGithub({ store, configuration, clock }: ApiDeps, sealer: Sealer) {
  const { github, publicUrl, secret } = configuration;
  const githubApp: OAuthAppDeps = { store, sealer, settings: github ?? githubDotCom, publicUrl, clock };
  const deps: GithubDeps = { ...githubApp, secret, readApp: () => readOAuthApp(githubApp) };
  return { githubApp, github: deps };
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
async function prepareDomains(
  { store, configuration, log, clock }: ApiDeps,
  addresses: ServerAddresses,
): Promise<{ domains: DomainDeps; makeWildcard: MakeWildcard | null }> {
  const { secret, previousSecret, cloudflareUrl, appDomain, appDomainToken: token } = configuration;
  const sealer = createSealer({ secret, previous: previousSecret });
  await sealAgain(store, sealer, log);
  const cloudflare = createCloudflare({ baseUrl: cloudflareUrl, limiter: createLimiter(clock) });
  return {
    domains: {
      ...{ store, sealer, cloudflare, clock, appDomain, addresses },
      proxyHost: configuration.proxy.proxyHost,
    },
    makeWildcard: appDomain && token ? wildcardMaker(cloudflare, { appDomain, token }) : null,
  };
}
