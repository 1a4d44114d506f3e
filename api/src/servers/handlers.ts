import { hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import type { Ceilings } from '@homeport/contract/limits';
import { pluginFiles } from '@homeport/dokku';
import { ownerFromSession } from '@homeport/store';
import { refuseMetal } from '../databases/state/database-plugins.ts';
import { refuseAbove } from '../http/ceiling.ts';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import { listServers, toServer } from '../records/server-record.ts';
import { acceptHostKey } from './accept-host-key.ts';
import { addServer } from './add-server.ts';
import { allowOnServer } from './allow-on-server.ts';
import { beginRemoval, type ServerKeys } from './begin-removal.ts';
import { checkFirewall } from './check-firewall.ts';
import { editServer } from './edit-server.ts';
import { listAppsOnServer, offerApps } from './import/offer-apps.ts';
import { offerDatabases } from './import/offer-databases.ts';
import { type JudgeDeps, judgeAddress } from './judge-address.ts';
import { keepGlobalDomains } from './keep-global-domains.ts';
import { type AgentLineDeps, makeAgentLine } from './make-agent-line.ts';
import { beginMove } from './move/begin-move.ts';
import { listTies } from './move/list-ties.ts';
import { locateMachine, locateServer, reachServer, type ServerDeps, startOnServer } from './reach-server.ts';
import { reportRemoval } from './removal-report.ts';
import { noGlobalDomain } from './replace-global-domain.ts';
import { suggestSubdomain } from './subdomain/suggest-subdomain.ts';

type Deps = ServerDeps &
  JudgeDeps &
  AgentLineDeps &
  ServerKeys & {
    clock: () => number;
    closeConnections(serverId: string): void;
    appDomain: string | null;
    /** The console makes the DNS records of claimed subdomains. */
    makesWildcards: boolean;
    ceilings: Ceilings;
  };

type Handled =
  | 'GET /api/servers'
  | 'POST /api/servers'
  | 'GET /api/servers/:id'
  | 'PATCH /api/servers/:id'
  | 'PUT /api/servers/:id/address'
  | 'GET /api/servers/:id/ties'
  | 'GET /api/subdomains'
  | 'PUT /api/servers/:id/host-key'
  | 'POST /api/servers/:id/install'
  | 'POST /api/servers/:id/dokku'
  | 'POST /api/servers/:id/agent'
  | 'POST /api/servers/:id/agent-line'
  | 'POST /api/servers/:id/account'
  | 'POST /api/servers/:id/plugin'
  | 'POST /api/servers/:id/global-domain'
  | 'POST /api/servers/:id/global-domain/keep'
  | 'POST /api/servers/:id/commands/allow'
  | 'POST /api/servers/:id/commands/forbid'
  | 'POST /api/servers/:id/shell/allow'
  | 'POST /api/servers/:id/shell/forbid'
  | 'GET /api/dokku-plugin'
  | 'GET /api/servers/:id/removal'
  | 'POST /api/servers/:id/remove'
  | 'POST /api/servers/:id/firewall'
  | 'GET /api/servers/:id/apps'
  | 'GET /api/servers/:id/import'
  | 'POST /api/servers/:id/import'
  | 'GET /api/servers/:id/found-databases'
  | 'POST /api/servers/:id/import-databases';

export function serverHandlers(deps: Deps): Pick<Handlers, Handled> {
  const { store, clock, closeConnections, ceilings } = deps;
  const allow = allowOnServer.bind(null, { store, clock });
  return {
    'GET /api/servers': async ({ session }) =>
      (await store.read(ownerFromSession(session.userId), listServers)).map(toServer),
    'POST /api/servers': async ({ session, body, signal }) => {
      const owner = ownerFromSession(session.userId);
      // Whoever has all servers that one may have makes the console ask DNS for no more.
      await store.transact(owner, (scope) => refuseAbove(scope, 'servers', ceilings.servers));
      const judged = await judgeAddress(deps, owner, body, { signal });
      return toServer(
        await store.transact(owner, (scope) => addServer(scope, body, judged, ceilings.servers)),
      );
    },
    'GET /api/servers/:id': async ({ session, params }) =>
      toServer(await locateServer(deps, session, params.id)),
    'PATCH /api/servers/:id': async ({ session, params, body }) => {
      const row = await store.transact(ownerFromSession(session.userId), (scope) =>
        editServer(scope, params.id, body, { sessionId: session.sessionId, at: clock() }),
      );
      // A connection that was opened with the old details must not serve the new ones.
      if (body.credential !== undefined || body.username !== undefined) closeConnections(params.id);
      return toServer(row);
    },
    'PUT /api/servers/:id/address': async ({ session, params, body, signal }) => {
      const { row, operation } = await beginMove(deps, session, params.id, body, signal);
      closeConnections(params.id);
      return { server: toServer(row), operation };
    },
    'GET /api/servers/:id/ties': ({ session, params }) =>
      store.read(ownerFromSession(session.userId), (scope) => listTies(scope, params.id, deps.appDomain)),
    'GET /api/subdomains': ({ session }) => store.read(ownerFromSession(session.userId), suggestSubdomain),
    'PUT /api/servers/:id/host-key': async ({ session, params, body }) => {
      const row = await store.transact(ownerFromSession(session.userId), (scope) =>
        acceptHostKey(scope, { sessionId: session.sessionId, id: params.id, at: clock() }, body),
      );
      // Connections to a server with another host key must not live on. The first key replaces none.
      if (body.from !== null) closeConnections(params.id);
      return toServer(row);
    },
    'POST /api/servers/:id/install': async ({ session, params }) =>
      startOnServer(deps, session, await locateMachine(deps, session, params.id), 'server.install'),
    'POST /api/servers/:id/dokku': async ({ session, params }) => {
      const server = await locateMachine(deps, session, params.id);
      if (!server.metal) throw new ProblemError('conflict', 'This server is not used without Dokku.');
      if (server.setup !== 'ready')
        throw new ProblemError('conflict', 'Finish the installation of this server first.');
      return startOnServer(deps, session, server, 'server.add-dokku');
    },
    'POST /api/servers/:id/agent': async ({ session, params }) =>
      startOnServer(deps, session, await locateMachine(deps, session, params.id), 'server.reinstall-agent'),
    'POST /api/servers/:id/agent-line': async ({ session, params, signal }) => ({
      line: await makeAgentLine(deps, ownerFromSession(session.userId), params.id, signal),
    }),
    'POST /api/servers/:id/account': async ({ session, params }) => {
      const server = await locateMachine(deps, session, params.id);
      if (server.account_key === null)
        throw new ProblemError('conflict', 'Homeport has made no account of its own on this server.');
      return startOnServer(deps, session, server, 'server.update-account');
    },
    'POST /api/servers/:id/plugin': async ({ session, params }) => {
      const server = await locateMachine(deps, session, params.id);
      if (server.metal) throw new ProblemError('conflict', 'This server is used without Dokku.');
      return startOnServer(deps, session, server, 'server.plugin');
    },
    'POST /api/servers/:id/global-domain': async ({ session, params }) => {
      const server = await locateMachine(deps, session, params.id);
      if (server.metal) throw new ProblemError('conflict', 'This server is used without Dokku.');
      if (!hasOwnWildcard(server)) throw noGlobalDomain();
      return startOnServer(deps, session, server, 'server.global-domain');
    },
    'POST /api/servers/:id/global-domain/keep': async ({ session, params }) =>
      toServer(
        await store.transact(ownerFromSession(session.userId), (scope) =>
          keepGlobalDomains(scope, params.id),
        ),
      ),
    'POST /api/servers/:id/commands/allow': async ({ session, params }) =>
      toServer(await allow(session, { id: params.id, right: 'commands_allowed', allowed: true })),
    'POST /api/servers/:id/commands/forbid': async ({ session, params }) => {
      const server = await allow(session, { id: params.id, right: 'commands_allowed', allowed: false });
      await deps.engine.cancelWaiting(ownerFromSession(session.userId), 'app.run', server.id);
      return toServer(server);
    },
    'POST /api/servers/:id/shell/allow': async ({ session, params }) =>
      toServer(await allow(session, { id: params.id, right: 'shell_allowed', allowed: true })),
    'POST /api/servers/:id/shell/forbid': async ({ session, params }) =>
      toServer(await allow(session, { id: params.id, right: 'shell_allowed', allowed: false })),
    'GET /api/dokku-plugin': async () => ({
      version: pluginFiles.version,
      folder: pluginFiles.folder,
      files: pluginFiles.files.map(({ path, text }) => ({ path, text })),
    }),
    'GET /api/servers/:id/removal': ({ session, params }) =>
      store.read(ownerFromSession(session.userId), (scope) => reportRemoval(scope, params.id)),
    'POST /api/servers/:id/remove': async ({ session, params, body }) =>
      beginRemoval(deps, session, await locateServer(deps, session, params.id), body),
    'POST /api/servers/:id/firewall': async ({ session, params, signal }) => {
      const { server, connection } = await reachServer(deps, session, params.id, 'root');
      return checkFirewall(connection, server, signal);
    },
    'GET /api/servers/:id/apps': ({ session, params, signal }) =>
      listAppsOnServer(deps, session, params.id, signal),
    'GET /api/servers/:id/import': ({ session, params, lastEventId, signal }) =>
      offerApps(deps, session, { id: params.id, after: lastEventId }, signal),
    'POST /api/servers/:id/import': async ({ session, params, body }) =>
      startOnServer(deps, session, await locateMachine(deps, session, params.id), 'server.import', {
        longnames: [...new Set(body.longnames)],
      }),
    'GET /api/servers/:id/found-databases': ({ session, params, signal }) =>
      offerDatabases(deps, session, params.id, signal),
    'POST /api/servers/:id/import-databases': async ({ session, params, body }) => {
      const server = await locateMachine(deps, session, params.id);
      refuseMetal(server);
      return startOnServer(deps, session, server, 'server.import-databases', body);
    },
  };
}
