import type { SecurityEventKind } from '@homeport/contract/account/facts';
import { type OwnerRead, ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { type DomainDeps, findAccount, noAccount, toAccount } from './account.ts';
import { pointAtApp, readDns } from './app-dns.ts';
import { checkAgain, linkAccount, unlinkAccount } from './link-account.ts';
import { recordsOfApp, recordsOfServer } from './pointing-records.ts';
import { addRecord, editRecord, findEditable, listRecords, removeRecords } from './records.ts';
import { findZone, readKeptZones, refreshZones, toZone } from './zones.ts';

type Handled =
  | 'GET /api/zones/account'
  | 'PUT /api/zones/account'
  | 'POST /api/zones/account/check'
  | 'DELETE /api/zones/account'
  | 'GET /api/zones'
  | 'POST /api/zones/refresh'
  | 'POST /api/zones/remove-records'
  | 'GET /api/zones/:id'
  | 'GET /api/zones/:id/records'
  | 'POST /api/zones/:id/records'
  | 'PATCH /api/zones/:id/records/:record'
  | 'DELETE /api/zones/:id/records/:record'
  | 'GET /api/apps/:id/dns'
  | 'POST /api/apps/:id/dns'
  | 'GET /api/servers/:id/dns'
  | 'GET /api/apps/:id/records'
  | 'GET /api/servers/:id/records';

type Asking = { userId: string; sessionId: string };
const ownerOf = ({ userId }: Asking) => ownerFromSession(userId);

export function domainHandlers(deps: DomainDeps): Pick<Handlers, Handled> {
  const { store } = deps;
  const read = <T>(session: Asking, fn: (scope: OwnerRead) => Promise<T>) => store.read(ownerOf(session), fn);
  const note = (kind: SecurityEventKind, { userId: owner, sessionId }: Asking) =>
    noteSecurityEvent(store.db, {
      ...{ owner, kind, subject: 'Cloudflare' },
      ...{ from: { sessionId }, at: deps.clock() },
    });
  return {
    'GET /api/zones/account': async ({ session }) => {
      const row = await read(session, findAccount);
      return { account: row ? toAccount(row) : null };
    },
    'PUT /api/zones/account': async ({ session, body }) => {
      const { email, secret } = body;
      const row = await linkAccount(deps, ownerOf(session), { email: email ?? null, secret });
      await note('account_linked', session);
      return { account: toAccount(row) };
    },
    'POST /api/zones/account/check': async ({ session }) => {
      if (!(await read(session, findAccount))) throw noAccount();
      return { account: toAccount(await checkAgain(deps, ownerOf(session))) };
    },
    'DELETE /api/zones/account': async ({ session }) => {
      if (await unlinkAccount(deps, ownerOf(session))) await note('account_unlinked', session);
      return { account: null };
    },
    'GET /api/zones': ({ session }) => read(session, readKeptZones),
    'POST /api/zones/refresh': ({ session, body, signal }) =>
      refreshZones(deps, ownerOf(session), { byHand: body.byHand, signal }),
    'POST /api/zones/remove-records': async ({ session, body }) => {
      const owner = ownerOf(session);
      // All zones are looked up first, so that a wrong one removes nothing.
      for (const { zone } of body.zones) await findEditable(deps, owner, zone);
      for (const { zone, records } of body.zones) await removeRecords(deps, owner, zone, records);
      return { removed: body.zones.reduce((sum, { records }) => sum + records.length, 0) };
    },
    'GET /api/zones/:id': async ({ session, params }) =>
      toZone(await read(session, (scope) => findZone(scope, params.id))),
    'GET /api/zones/:id/records': async ({ session, params, signal }) => {
      const zone = await read(session, (scope) => findZone(scope, params.id));
      return listRecords(deps, ownerOf(session), zone, { signal });
    },
    'POST /api/zones/:id/records': ({ session, params, body }) =>
      addRecord(deps, ownerOf(session), params.id, body),
    'PATCH /api/zones/:id/records/:record': ({ session, params, body }) =>
      editRecord(deps, ownerOf(session), { zoneId: params.id, recordId: params.record }, body.record),
    'DELETE /api/zones/:id/records/:record': async ({ session, params }) => {
      await removeRecords(deps, ownerOf(session), params.id, [params.record]);
      return { removed: true };
    },
    'GET /api/apps/:id/dns': ({ session, params, query, signal }) =>
      readDns(deps, ownerOf(session), { kind: 'app', id: params.id }, query.domain, signal),
    'POST /api/apps/:id/dns': ({ session, params, body }) =>
      pointAtApp(deps, ownerOf(session), params.id, body),
    'GET /api/servers/:id/dns': ({ session, params, query, signal }) =>
      readDns(deps, ownerOf(session), { kind: 'server', id: params.id }, query.domain, signal),
    'GET /api/apps/:id/records': ({ session, params, signal }) =>
      recordsOfApp(deps, ownerOf(session), params.id, signal),
    'GET /api/servers/:id/records': ({ session, params, signal }) =>
      recordsOfServer(deps, ownerOf(session), params.id, signal),
  };
}
