import { appName, run } from '@homeport/dokku';
import type { Handlers } from '../../http/handlers.ts';
import { notFound } from '../../http/problem.ts';
import { type AppDeps, locateApp, reachApp, startOnApp } from '../reach-app.ts';
import { requireAllowed } from './allowed.ts';

type Handled =
  | 'GET /api/apps/:id/commands'
  | 'GET /api/apps/:id/commands/output'
  | 'POST /api/apps/:id/commands'
  | 'POST /api/apps/:id/commands/stop';

export function oneOffHandlers(deps: AppDeps): Pick<Handlers, Handled> {
  return {
    'GET /api/apps/:id/commands': async ({ session, params, signal }) => {
      const { app, run: ask } = await reachApp(deps, session, params.id, signal);
      const name = appName(app.longname);
      return { commands: run.readList(await ask(run.list(name)), name) };
    },
    'GET /api/apps/:id/commands/output': async ({ session, params, query, signal }) => {
      const { app, run: ask } = await reachApp(deps, session, params.id, signal);
      const name = appName(app.longname);
      // Dokku prints the log of any container that is named so.
      const listed = run.readList(await ask(run.list(name)), name);
      const found = listed.find(({ container }) => container === (query.container ?? container));
      if (!found) throw notFound('command');
      return { lines: run.readOutput(await ask(run.output(found.container))) };
    },
    'POST /api/apps/:id/commands': async ({ session, params, body }) => {
      requireAllowed((await locateApp(deps, session, params.id)).server);
      return startOnApp(deps, session, params.id, 'app.run', body);
    },
    'POST /api/apps/:id/commands/stop': ({ session, params, body }) =>
      startOnApp(deps, session, params.id, 'app.run-stop', body),
  };
}
