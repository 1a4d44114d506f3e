import { scaleSchema } from '@homeport/contract/apps/processes/schema';
import { appName, processType, ps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import type { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type PlannedCommand,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { isStopped, wantedNow, wantedOf } from './find-types.ts';

type Deps = Pick<Store, 'db' | 'pool'>;

const scaleInput = onAppInput.extend(scaleSchema.shape);
type ScaleInput = z.output<typeof scaleInput>;
type Context = StepContext<ScaleInput>;

const deadlineMs = 30 * 60_000;

/**
 * Sets how many processes of each type are wanted. Each changed type is a deploy of its own on the server. `ps:scale` would start
 * some types of a stopped app and leave the others stopped, so there the numbers are only kept for the next start.
 */
export function scaleApp(deps: Deps): AnyOperationDefinition {
  return defineOperation<ScaleInput>({
    kind: 'app.scale',
    input: scaleInput,
    title: ({ processes }) => `Scale ${inWords(processes)}`,
    steps: ({ processes, start }) => [
      { key: 'compare', title: 'Compare with the server', run: compare },
      { key: 'scale', title: `Scale ${inWords(processes)}`, run: scale },
      ...(start ? [{ key: 'start', title: 'Start the app', run: startIfStopped }] : []),
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(deps, context);
          await context.toast('ok', `Scaled ${inWords(processes)}`);
          return undefined;
        },
      },
    ],
    commands: planned,
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

/** Of several types, the server may be asked for some only: it keeps a number already. */
function planned({ longname, processes, start }: ScaleInput): PlannedCommand[] {
  const app = appName(longname);
  const numbers = new Map(processes.map(({ type, to }) => [processType(type), to]));
  const command = (skipDeploy: boolean) => ps.scale(app, numbers, { skipDeploy });
  return [
    { work: 'apps', command: command(false), onlyIf: 'the app is not stopped' },
    { work: 'apps', command: command(true), onlyIf: 'the app is stopped' },
    ...[...numbers.keys()].map((type) => ({
      work: 'apps' as const,
      command: ps.restartType(app, type),
      onlyIf: `the server keeps this number already, and other than so many ${type} run`,
    })),
    ...(start ? [{ work: 'apps' as const, command: ps.start(app), onlyIf: 'the app is stopped' }] : []),
  ];
}

/** "web to 3, worker to 0" */
const inWords = (processes: ScaleInput['processes']) =>
  processes.map(({ type, to }) => `${type} to ${to}`).join(', ');

/** Refuses numbers that belong to app.json, or that another change has replaced since the page showed them. */
async function compare(context: Context): Promise<undefined> {
  const app = appName(context.input.longname);
  const canScale = await context.run('apps', ps.reportFlag(app, 'ps-can-scale'), {
    accept: 'any',
    quiet: true,
  });
  if (canScale.exitCode === 0 && !ps.readFlag(canScale))
    throw new ProblemError(
      'conflict',
      'The formation in the repository’s app.json sets these numbers. Change them there, and deploy.',
    );
  const wanted = await wantedNow(context, app);
  for (const { type, from, to } of context.input.processes) {
    const now = wantedOf(wanted, type);
    if (now !== from && now !== to)
      throw new ProblemError(
        'conflict',
        `The server wants ${now} of ${type} by now, not ${from}. Nothing was changed.`,
      );
  }
}

/**
 * Dokku starts nothing for a number that it keeps already. So where an earlier try of this step was cut off after Dokku kept the
 * number, the type is restarted as far as its containers do not agree with the number.
 */
async function scale(context: Context): Promise<StepOutcome | undefined> {
  const app = appName(context.input.longname);
  const [skipDeploy, wanted] = await Promise.all([isStopped(context, app), wantedNow(context, app)]);
  const changes = context.input.processes.map(({ type, to }) => ({ type: processType(type), to }));
  const open = changes.filter(({ type, to }) => wantedOf(wanted, type) !== to);
  if (open.length > 0) {
    const numbers = new Map(open.map(({ type, to }) => [type, to]));
    await context.run('apps', ps.scale(app, numbers, { skipDeploy }), { deadlineMs });
  }
  if (skipDeploy) return { note: 'The app is stopped. The numbers hold from its next start on.' };
  const kept = changes.filter((change) => !open.includes(change));
  if (kept.length === 0) return undefined;
  const inspected = await context.run('apps', ps.inspect(app), { accept: 'any', quiet: true });
  const containers = inspected.exitCode === 0 ? ps.readInspect(inspected) : [];
  for (const { type, to } of kept) {
    const running = containers.filter(({ name, state }) => state === 'running' && isOf(name, type));
    if (running.length !== to) await context.run('apps', ps.restartType(app, type), { deadlineMs });
  }
  return undefined;
}

/** `web.1` is of `web`. */
const isOf = (name: string, type: string) => name.slice(0, name.lastIndexOf('.')) === type;

async function startIfStopped(context: Context): Promise<StepOutcome | undefined> {
  const app = appName(context.input.longname);
  if (!(await isStopped(context, app))) return { state: 'skipped', note: 'The app is not stopped.' };
  await context.run('apps', ps.start(app), { deadlineMs });
  return undefined;
}
