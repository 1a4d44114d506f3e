import type { RepositoryReadme } from '@homeport/contract/github/schema';
import { ownerFromSession } from '@homeport/store';
import { askReading, type GithubDeps } from '../../github/account.ts';
import type { Handlers } from '../../http/handlers.ts';
import { ProblemError } from '../../http/problem.ts';
import type { ServerAddresses } from '../../remote/server-addresses.ts';
import { type AppDeps, locateApp, reachApp, startOnApp } from '../reach-app.ts';
import { readmeOf } from '../state/readme-of.ts';
import { deploysAnother, planDeployment, requireRepository } from './plan-deployment.ts';
import { readRuns } from './read-runs.ts';
import { findOtherApp, findSetUp } from './records.ts';
import { readReadmeFile } from './repository.ts';

export function continuousHandlers(deps: AppDeps & { addresses: ServerAddresses }, github: GithubDeps) {
  return {
    'GET /api/apps/:id/repository/readme': async ({ session, params }): Promise<RepositoryReadme> => {
      const { app } = await locateApp(deps, session, params.id);
      const repository = requireRepository(app);
      const owner = ownerFromSession(session.userId);
      const file = await askReading(github, owner, 'send the readme', (ask) =>
        readReadmeFile(ask, repository),
      );
      const readme = file ? readmeOf(file.text, '') : { kind: 'none' as const };
      return readme.kind === 'needs_root' ? { kind: 'none' } : readme;
    },
    'GET /api/apps/:id/continuous-deployment': async ({ session, params }) => {
      const { app } = await locateApp(deps, session, params.id);
      return findSetUp({ owner: ownerFromSession(session.userId), db: deps.store.db }, app.id);
    },
    'GET /api/apps/:id/continuous-deployment/plan': async ({ session, params, signal }) => {
      const reached = await reachApp(deps, session, params.id, signal);
      return planDeployment({ ...github, addresses: deps.addresses }, reached, signal);
    },
    'GET /api/apps/:id/continuous-deployment/runs': async ({ session, params }) => {
      const { app } = await locateApp(deps, session, params.id);
      const owner = ownerFromSession(session.userId);
      const setUp = await findSetUp({ owner, db: deps.store.db }, app.id);
      return setUp ? readRuns(github, owner, setUp.repository) : [];
    },
    'POST /api/apps/:id/continuous-deployment': async ({ session, params, body }) => {
      const { app } = await locateApp(deps, session, params.id);
      const { repository } = body;
      if (requireRepository(app) !== repository)
        throw new ProblemError(
          'conflict',
          'Another repository is linked to this app by now. Nothing was changed.',
          {
            recovery: 'Look at the plan again.',
          },
        );
      const scope = { owner: ownerFromSession(session.userId), db: deps.store.db };
      const other = await findOtherApp(scope, { appId: app.id, repository });
      if (other !== null) throw deploysAnother(repository, other);
      return startOnApp(deps, session, params.id, 'app.continuous', body);
    },
    'POST /api/apps/:id/continuous-deployment/remove': async ({ session, params }) => {
      const { app } = await locateApp(deps, session, params.id);
      const owner = ownerFromSession(session.userId);
      const setUp = await findSetUp({ owner, db: deps.store.db }, app.id);
      if (!setUp) throw new ProblemError('conflict', 'Nothing is set up for this app. Nothing was changed.');
      const { repository, branch } = setUp;
      return startOnApp(deps, session, params.id, 'app.continuous-remove', { repository, branch });
    },
  } satisfies Partial<Handlers>;
}
