import { ruleWorkLimits } from '@homeport/contract/proxies/facts';
import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import { createSeats, type Seats } from '../http/seats.ts';
import { listProxies, toProxySummary } from '../records/proxy-record.ts';
import { addProxy } from './add-proxy.ts';
import { addRule, deleteRule, moveRule, replaceRule, replaceTests } from './change-rules.ts';
import { vouch } from './confirm-ownership.ts';
import { deleteProxy } from './delete-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { dryRun } from './dry-run.ts';
import { editProxy } from './edit-proxy.ts';
import { examineMount } from './examine-mount.ts';
import { listClaims } from './list-claims.ts';
import { purgeCache } from './purge-cache.ts';
import { readPaced } from './read-paced.ts';
import { readUse } from './read-use.ts';
import { toProxy } from './rule-warnings.ts';

type Handled =
  | 'GET /api/proxies'
  | 'POST /api/proxies'
  | 'GET /api/proxies/claims'
  | 'POST /api/proxies/:id/vouch'
  | 'GET /api/proxies/:id'
  | 'PATCH /api/proxies/:id'
  | 'POST /api/proxies/:id/delete'
  | 'POST /api/proxies/:id/rules'
  | 'PUT /api/proxies/:id/rules/:rule'
  | 'POST /api/proxies/:id/rules/:rule/move'
  | 'POST /api/proxies/:id/rules/:rule/delete'
  | 'PUT /api/proxies/:id/tests'
  | 'GET /api/proxies/:id/use'
  | 'POST /api/proxies/:id/dry-run'
  | 'POST /api/proxies/:id/examine'
  | 'POST /api/proxies/:id/purge';

export function proxyHandlers(deps: ProxyDeps): Pick<Handlers, Handled> {
  const { store, door } = deps;
  const examinations = createSeats(ruleWorkLimits.examinations);
  const dryRuns = createSeats(ruleWorkLimits.dryRuns);
  const ownerOf = (session: { userId: string }) => ownerFromSession(session.userId);
  return {
    'GET /api/proxies': async ({ session }) =>
      (await store.read(ownerOf(session), listProxies)).map((row) => toProxySummary(row, door)),
    'POST /api/proxies': ({ session, body }) => addProxy(deps, ownerOf(session), body),
    'GET /api/proxies/claims': () => listClaims(store.db),
    'POST /api/proxies/:id/vouch': ({ params, body }) =>
      vouch(store.db, { ...params, ...body, now: deps.clock() }),
    'GET /api/proxies/:id': async ({ session, params }) => {
      const owner = ownerOf(session);
      return toProxy(deps, owner, await readPaced(deps, owner, params.id));
    },
    'PATCH /api/proxies/:id': ({ session, params, body }) =>
      editProxy(deps, ownerOf(session), params.id, body),
    'POST /api/proxies/:id/delete': ({ session, params }) => deleteProxy(deps, ownerOf(session), params.id),
    'POST /api/proxies/:id/rules': ({ session, params, body }) =>
      addRule(deps, ownerOf(session), params.id, body),
    'PUT /api/proxies/:id/rules/:rule': ({ session, params, body }) =>
      replaceRule(deps, ownerOf(session), params, body),
    'POST /api/proxies/:id/rules/:rule/move': ({ session, params, body }) =>
      moveRule(deps, ownerOf(session), params, body),
    'POST /api/proxies/:id/rules/:rule/delete': ({ session, params, body }) =>
      deleteRule(deps, ownerOf(session), params, body),
    'PUT /api/proxies/:id/tests': ({ session, params, body }) =>
      replaceTests(deps, ownerOf(session), params.id, body),
    'GET /api/proxies/:id/use': ({ session, params, query }) =>
      readUse(deps, ownerOf(session), params.id, query.horizon),
    'POST /api/proxies/:id/dry-run': ({ session, params, body, signal }) =>
      seated(dryRuns, session.userId, () => dryRun(deps, ownerOf(session), { ...params, ...body }, signal)),
    'POST /api/proxies/:id/examine': ({ session, params, body, signal }) =>
      seated(examinations, session.userId, () =>
        examineMount(deps, ownerOf(session), { ...params, ...body }, signal),
      ),
    'POST /api/proxies/:id/purge': ({ session, params, body }) =>
      purgeCache(deps, ownerOf(session), params.id, body.path),
  };
}

/** Does work that asks websites for pages, unless as much of it is under way for this person as may be. */
async function seated<T>(seats: Seats, person: string, work: () => Promise<T>): Promise<T> {
  const leave = seats.take(person);
  if (leave === null)
    throw new ProblemError('too_many', 'The one before is still under way. Wait until it has ended.', {
      retryAfterSeconds: 5,
    });
  try {
    return await work();
  } finally {
    leave();
  }
}
