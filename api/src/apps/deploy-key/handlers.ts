import { ownerFromSession } from '@homeport/store';
import type { GithubDeps } from '../../github/account.ts';
import type { Handlers } from '../../http/handlers.ts';
import { ProblemError } from '../../http/problem.ts';
import { type AppDeps, locateApp, startOnApp } from '../reach-app.ts';
import { planDeployKey } from './plan-key.ts';
import { findDeployKey, toDeployKey } from './records.ts';

export function deployKeyHandlers(deps: AppDeps, github: GithubDeps) {
  return {
    'GET /api/apps/:id/deploy-key': async ({ session, params }) => {
      const { app } = await locateApp(deps, session, params.id);
      const owner = ownerFromSession(session.userId);
      const row = await findDeployKey({ owner, db: deps.store.db }, app.id);
      return row?.public_key ? toDeployKey(github.settings, row) : null;
    },
    'GET /api/apps/:id/deploy-key/plan': async ({ session, params }) => {
      const located = await locateApp(deps, session, params.id);
      return planDeployKey(github, { ...located, owner: ownerFromSession(session.userId) });
    },
    'POST /api/apps/:id/deploy-key/remove': async ({ session, params }) => {
      const { app } = await locateApp(deps, session, params.id);
      const owner = ownerFromSession(session.userId);
      const row = await findDeployKey({ owner, db: deps.store.db }, app.id);
      if (!row) throw new ProblemError('conflict', 'This app has no deploy key. Nothing was changed.');
      return startOnApp(deps, session, params.id, 'app.deploy-key-remove', { repository: row.repository });
    },
  } satisfies Partial<Handlers>;
}
