import { type CheckMode, checkModes } from '@homeport/contract/apps/checks/facts';
import { checkChangeSchema } from '@homeport/contract/apps/checks/schema';
import { isTask } from '@homeport/contract/apps/processes/facts';
import { type AppName, appName, checks, type ProcessType, processType } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput } from '../changes/on-app.ts';
import { wantedNow, wantedOf } from '../processes/find-types.ts';
import { planModes } from './plan-modes.ts';

const changeInput = onAppInput.extend(checkChangeSchema.shape);
type ChangeInput = z.output<typeof changeInput>;
type Context = StepContext<ChangeInput>;

/**
 * Sets what Dokku does with new containers of each type, and when it stops old ones. Both are properties that the next deploy reads, so
 * nothing restarts.
 */
export function changeChecks(): AnyOperationDefinition {
  return defineOperation<ChangeInput>({
    kind: 'app.checks',
    input: changeInput,
    title: () => 'Change of checks',
    steps: () => [
      { key: 'set', title: 'Compare with the server, and set the checks', run: set },
      { key: 'read', title: 'Read the checks again', run: readAgain },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const modesSchema = z.record(z.string(), z.enum(checkModes));
/** `emptied`: a try of this work has emptied Dokku's lists, and did not come to the end of filling them. */
const factsSchema = z.object({ emptied: z.boolean().default(false), modes: modesSchema.default({}) });

const read = async (context: Context, app: AppName) =>
  checks.readReport(await context.run('apps', checks.report(app), { quiet: true }));

/**
 * Compares and sets in one step, so that a repetition compares again. The modes of all types are remembered before the lists are emptied:
 * a try that is cut off behind that finds on the server no more what the other types had.
 */
async function set(context: Context): Promise<StepOutcome | undefined> {
  const app = appName(context.input.longname);
  const [report, wanted] = await Promise.all([read(context, app), wantedNow(context, app)]);
  const { emptied, modes: kept } = factsSchema.parse(context.facts);
  if (emptied) compareEmptied(kept, report);
  else compare(context.input, report, wanted);
  if (!emptied) compareTime(context.input, report, 'Nothing was changed.');
  // Types that came since the lists were emptied keep what they have.
  const modes = { ...modesWith(context.input, report, wanted), ...(emptied && kept) };
  const isAboutModes = emptied || context.input.modes.length > 0;
  const { commands, empties } = isAboutModes
    ? planModes(app, report, typed(modes))
    : { commands: [], empties: false };
  if (isAboutModes) await context.remember({ modes, emptied: emptied || empties });
  for (const command of commands) await context.run('apps', command);
  await context.remember({ emptied: false });
  if (emptied) compareTime(context.input, report, 'That time stays.');
  const { retireSeconds } = context.input;
  const isNewTime = retireSeconds !== undefined && retireSeconds.to !== report.retireSeconds;
  if (isNewTime) await context.run('apps', checks.setRetireSeconds(app, retireSeconds.to));
  if (commands.length > 0 || isNewTime) return undefined;
  return { state: 'skipped', note: 'The server has these checks already.' };
}

type Report = checks.ChecksReport;
type Wanted = Awaited<ReturnType<typeof wantedNow>>;

/** Refuses what another change has replaced since the page showed it. */
function compare({ modes }: ChangeInput, report: Report, wanted: Wanted): void {
  for (const { type, from, to } of modes) {
    wantedOf(wanted, type);
    const now = checks.modeOf(report, type);
    if (now !== from && now !== to)
      throw new ProblemError(
        'conflict',
        `The checks of ${type} are ${now} by now, and not ${from}. Nothing was changed.`,
      );
  }
}

/** The try that emptied the lists left every type checked. Whatever else stands there now came later. */
function compareEmptied(kept: Readonly<Record<string, CheckMode>>, report: Report): void {
  for (const [type, mode] of Object.entries(kept)) {
    const now = checks.modeOf(report, type);
    if (now === 'checked' || now === mode) continue;
    throw new ProblemError(
      'conflict',
      `The checks of ${type} were made ${now} since this work was cut off. They stay as they are.`,
      { recovery: 'Look at the checks of every type, and change them anew.' },
    );
  }
}

function compareTime({ retireSeconds }: ChangeInput, report: Report, what: string): void {
  if (!retireSeconds || [retireSeconds.from, retireSeconds.to].includes(report.retireSeconds)) return;
  throw new ProblemError('conflict', `The server has another time for old containers by now. ${what}`);
}

/** The mode that each type has from now on. Types that the lists name and the app has no more stay on their list. */
function modesWith({ modes }: ChangeInput, report: Report, wanted: Wanted): Record<string, CheckMode> {
  const types = [...new Set([...wanted.keys(), ...checks.namedTypes(report)])];
  const asked = new Map(modes.map(({ type, to }) => [type, to]));
  return Object.fromEntries(
    types
      .filter((type) => !isTask(type))
      .map((type) => [type, asked.get(type) ?? checks.modeOf(report, type)]),
  );
}

const typed = (modes: Readonly<Record<string, CheckMode>>): ReadonlyMap<ProcessType, CheckMode> =>
  new Map(Object.entries(modes).map(([type, mode]) => [processType(type), mode]));

/** Compares every type of the app: Dokku reports success for whatever it makes of a list. */
async function readAgain(context: Context): Promise<StepOutcome> {
  const { longname, retireSeconds } = context.input;
  const report = await read(context, appName(longname));
  const { modes } = factsSchema.parse(context.facts);
  const other = Object.entries(modes).find(([type, mode]) => checks.modeOf(report, type) !== mode);
  if (other)
    throw new ProblemError('remote_failed', `The checks of ${other[0]} are not ${other[1]} on the server.`);
  if (retireSeconds && report.retireSeconds !== retireSeconds.to)
    throw new ProblemError('remote_failed', 'The server has another time for old containers than asked.');
  await context.toast('ok', 'Checks changed');
  return { note: 'They hold from the next deploy on.' };
}
