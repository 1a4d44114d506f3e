import { appSchema } from '@homeport/contract/apps/schema';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { withOwnConnections } from '../connections/connect.ts';
import { readRoute } from '../console/read-route.ts';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import { appOfName, nameFor } from './app.ts';
import type { Command } from './command.ts';
import { connectionFlags } from './connection-flags.ts';
import { timeoutFlag, timeoutOf } from './watch-operation.ts';
import { workOnApp } from './work-on-app.ts';

const deployedShape = appSchema.pick({
  ...{ id: true, name: true, longname: true, serverName: true, serverId: true, repository: true },
});

/** The console takes a commit of the linked repository alone, so no command line names the code's origin. */
export const deploy: Command = {
  words: ['deploy'],
  args: [{ name: 'NAME', orElse: 'HOMEPORT_APP' }],
  flags: [
    {
      name: 'ref',
      value: 'REF',
      purpose: 'A branch, a tag or the whole name of a commit; the linked branch without.',
    },
    { name: 'no-wait', purpose: 'Ends as soon as the deploy has begun.' },
    timeoutFlag,
    ...connectionFlags,
  ],
  summary:
    'Deploys the linked repository of an app, and follows the build’s log to its end. Your own SSH agent signs the login, as the account homeport. The work goes on after Ctrl-C.',
  json: 'Each event of `GET /api/operations/:id/events`, one a line; with `--no-wait` the answer of `POST /api/apps/:id/deploy-commit`.',
  asksConsole: true,
  async run(run) {
    const [name, timeout, { ref }] = [nameFor(run), timeoutOf(run), run.flags];
    const console = withOwnConnections(await run.signIn());
    const { value: apps } = await readRoute(console, 'GET /api/apps', z.array(deployedShape));
    const { id, name: known, serverId, repository } = appOfName(apps, name);
    if (repository === null)
      throw new CommandProblem(exitCodes.conflict, `No repository is linked to ${oneLine(known)}.`, {
        recovery: 'Link one on the page of the app, or push to the app with git: its page says how.',
      });
    return workOnApp(run, {
      ...{ console, serverId, timeout, withLog: true, noWait: run.flags['no-wait'] === true },
      path: `/api/apps/${encodeURIComponent(id)}/deploy-commit`,
      body: {
        repository: repository.fullName,
        ref: typeof ref === 'string' ? ref : repository.branch,
      },
    });
  },
};
