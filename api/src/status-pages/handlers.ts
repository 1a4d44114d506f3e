import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import { addPage } from './add-page.ts';
import { changePage, removePage } from './change-page.ts';
import type { StatusPageDeps } from './deps.ts';
import { listPages, readPage } from './page-record.ts';
import { listOperatedPages, takeDown } from './take-down.ts';
import { addPost, addUpdate, removePost } from './write-posts.ts';

export function statusPageHandlers(deps: StatusPageDeps) {
  const { store, served } = deps;
  return {
    'GET /api/status-pages': async ({ session }) => ({
      served,
      pages: await store.read(ownerFromSession(session.userId), listPages),
    }),
    'GET /api/status-pages/:id': ({ session, params }) =>
      store.read(ownerFromSession(session.userId), (scope) => readPage(scope, params.id)),
    'POST /api/status-pages': async ({ session, body }) => {
      refuseSwitchedOff(deps);
      return addPage(deps, session, body);
    },
    'PATCH /api/status-pages/:id': async ({ session, params, body }) => {
      refuseSwitchedOff(deps);
      return changePage(deps, session, params.id, body);
    },
    'DELETE /api/status-pages/:id': async ({ session, params }) => {
      await removePage(deps, ownerFromSession(session.userId), params.id);
      return { removed: true };
    },
    'POST /api/status-pages/:id/posts': async ({ session, params, body }) => {
      refuseSwitchedOff(deps);
      return addPost(deps, session, params.id, body);
    },
    'POST /api/status-pages/:id/updates': async ({ session, params, body }) => {
      refuseSwitchedOff(deps);
      return addUpdate(deps, session, params.id, body);
    },
    'POST /api/status-pages/:id/remove-post': ({ session, params, body }) =>
      removePost(deps, session, params.id, body.postId),
    'GET /api/console/status-pages': ({ query }) => listOperatedPages(deps, query.search),
    'PUT /api/console/status-pages/:id/taken-down': ({ session, params, body }) =>
      takeDown(deps, session.userId, params.id, body.reason),
  } satisfies Partial<Handlers>;
}

/** What is there can be read and removed; nothing is added or changed that nobody would see. */
function refuseSwitchedOff({ served }: StatusPageDeps): void {
  if (served) return;
  throw new ProblemError('not_allowed', 'Status pages are switched off by the operator of this console.', {
    recovery: 'The operator can switch them on by the setting HOMEPORT_STATUS_PAGES.',
  });
}
