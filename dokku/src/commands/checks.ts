import type { CheckMode } from '@homeport/contract/apps/checks/facts';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { type ProcessType, processTypeSchema } from '../names/process-type.ts';
import { linesOf, UnreadableOutputError } from '../output.ts';

// `checks:run` is left out: it stops a running container whose check fails (trigger `check-deploy`). So is `checks:enable` with types.
// Dokku takes a type off a list by its letters wherever they stand, so that to take off `web` makes `hooks` of `webhooks`.

export type ChecksReport = {
  /** `_all_` stands for every type, those of later deploys included. */
  readonly disabled: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
  /** The time in force; null where Dokku holds another text than a number. */
  readonly retireSeconds: number | null;
};

const every = '_all_';

/** As text: Dokku before 0.38 has no JSON of this report. */
export function report(app: AppName): Command {
  return dokku('checks:report', app);
}

/** @throws UnreadableOutputError */
export function readReport(outcome: Outcome): ChecksReport {
  const values = new Map(
    linesOf(outcome.stdout).flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    }),
  );
  const disabled = values.get('Checks disabled list');
  const skipped = values.get('Checks skipped list');
  if (disabled === undefined || skipped === undefined)
    throw new UnreadableOutputError('checks:report', outcome.stdout);
  const seconds = values.get('Checks computed wait to retire') ?? '';
  return {
    disabled: typesIn(disabled),
    skipped: typesIn(skipped),
    retireSeconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : null,
  };
}

const typesIn = (list: string): ReadonlySet<string> =>
  new Set(list === 'none' ? [] : list.split(',').filter((type) => type !== ''));

/** Where both lists name a type, its old containers stop first, and then nothing is checked. */
export function modeOf({ disabled, skipped }: ChecksReport, type: string): CheckMode {
  if (disabled.has(every) || disabled.has(type)) return 'disabled';
  return skipped.has(every) || skipped.has(type) ? 'skipped' : 'checked';
}

/** Whether a list names every type at once. Naming one type takes nothing off such a list. */
export const namesAll = ({ disabled, skipped }: ChecksReport): boolean =>
  disabled.has(every) || skipped.has(every);

/** The types that the lists name one by one, also those that the app has no more. */
export const namedTypes = ({ disabled, skipped }: ChecksReport): string[] =>
  [...new Set([...disabled, ...skipped])].filter((type) => processTypeSchema.safeParse(type).success);

/** Takes every type off both lists. */
export function enableAll(app: AppName): Command {
  return dokku('checks:enable', app);
}

/**
 * From the next deploy on, the old containers of these types stop before the new ones start. Takes the types off the other list, where that
 * has them: see above.
 */
export function disable(app: AppName, types: readonly ProcessType[]): Command {
  return dokku('checks:disable', app, types.join(','));
}

/** From the next deploy on, visitors reach new containers of these types at once. As `disable`, takes them off the other list. */
export function skip(app: AppName, types: readonly ProcessType[]): Command {
  return dokku('checks:skip', app, types.join(','));
}

/** When old containers are stopped that have not ended yet. Since 0.38 each is told to end at the switch. Dokku takes any text. */
export function setRetireSeconds(app: AppName, seconds: number): Command {
  return dokku('checks:set', app, 'wait-to-retire', String(seconds));
}
