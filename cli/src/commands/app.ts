import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { readRoute } from '../console/read-route.ts';
import { variable } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { printFacts, printJson } from '../output/print.ts';
import type { Command, Run } from './command.ts';
import { appShape, readReports, stateOfApp } from './states.ts';

type App = z.output<typeof appShape>;

export const app: Command = {
  words: ['app'],
  args: [{ name: 'NAME', orElse: 'HOMEPORT_APP' }],
  summary:
    'Shows one app: state, address, domains, last deploy. NAME is the app’s name or its name in Dokku; SERVER/NAME where several servers have one of that name.',
  json: 'The answer of `GET /api/apps/:id`.',
  asksConsole: true,
  async run(run) {
    const { terminal, json } = run;
    const name = nameFor(run);
    const console = await run.signIn();
    const { value: all } = await readRoute(console, 'GET /api/apps', z.array(appShape));
    const { id } = appOfName(all, name);
    const { value, text } = await readRoute(console, 'GET /api/apps/:id', appShape, { id });
    if (json) await printJson(terminal, text);
    else
      await printFacts(terminal, [
        ['Name', value.name],
        ['Name in Dokku', value.longname],
        ['Server', value.serverName],
        ['State', stateOfApp(await readReports(console), value, terminal.now())],
        ['Address', value.url ?? '-'],
        ['Domains', value.domains.join(', ')],
        ['Last deploy', lastDeploy(value)],
        ['Id', value.id],
      ]);
    return exitCodes.good;
  },
};

export function nameFor({ args, terminal }: Run): string {
  const name = args.NAME ?? variable(terminal.env, 'HOMEPORT_APP');
  if (name !== undefined) return name;
  throw new CommandProblem(exitCodes.usage, 'Which app?', {
    recovery: 'Give its name, or set HOMEPORT_APP. `homeport apps` lists them.',
  });
}

/** @throws CommandProblem unless exactly one app has the name */
export function appOfName<A extends Pick<App, 'id' | 'name' | 'longname' | 'serverName'>>(
  apps: readonly A[],
  name: string,
): A {
  const found = apps.filter(
    (each) =>
      each.id === name ||
      [each.name, each.longname].some((own) => own === name || `${each.serverName}/${own}` === name),
  );
  const [first, ...more] = found;
  if (!first)
    throw new CommandProblem(exitCodes.notFound, `You have no app ${name}.`, {
      recovery: '`homeport apps` lists your apps.',
    });
  if (more.length === 0) return first;
  const names = found.slice(0, 10).map((each) => `${each.serverName}/${each.longname}`);
  throw new CommandProblem(exitCodes.usage, `Several apps are named ${name}.`, {
    recovery: `Give one of: ${names.join(', ')}.`,
  });
}

const lastDeploy = ({ deployment: { status, at } }: App) =>
  at === null ? status : `${status}, ${new Date(at).toISOString()}`;
