import { ownerFromSession } from '@homeport/store';
import type { GithubDeps } from '../../github/account.ts';
import type { Handlers } from '../../http/handlers.ts';
import { ProblemError } from '../../http/problem.ts';
import { requireRepository } from '../continuous/plan-deployment.ts';
import { type AppDeps, locateApp, startOnApp } from '../reach-app.ts';
import { readCommit } from './read-commit.ts';

export function commitHandlers(deps: AppDeps, github: GithubDeps) {
  return {
    'GET /api/apps/:id/commit': async ({ session, params, query }) => {
      const { app } = await locateApp(deps, session, params.id);
      const repository = requireRepository(app);
      const owner = ownerFromSession(session.userId);
      const ref = query.ref ?? app.repository_branch ?? 'HEAD';
      return readCommit(github, owner, { repository, ref });
    },
    'POST /api/apps/:id/deploy-commit': async ({ session, params, body }) => {
      // The plan of a deploy key names what GitHub and the server get, and a browser shows it.
      if (session.connects !== undefined && body.way === 'key')
        throw new ProblemError('not_allowed', 'A terminal deploys with no deploy key. Nothing was changed.', {
          recovery: 'Deploy the archive, or use the browser that holds the key.',
        });
      const { app } = await locateApp(deps, session, params.id);
      if (requireRepository(app) !== body.repository)
        throw new ProblemError(
          'conflict',
          'Another repository is linked to this app by now. Nothing was changed.',
        );
      return startOnApp(deps, session, params.id, 'app.deploy-commit', body);
    },
    'POST /api/apps/:id/go-back': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.go-back', body),
  } satisfies Partial<Handlers>;
}
