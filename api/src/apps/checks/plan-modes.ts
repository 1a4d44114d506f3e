import type { CheckMode } from '@homeport/contract/apps/checks/facts';
import { type AppName, checks, type ProcessType } from '@homeport/dokku';

type Command = ReturnType<typeof checks.enableAll>;

/**
 * The commands that bring these types to these modes, and nothing else onto a list. Dokku takes a type off a list by its letters wherever
 * they stand, and off a list of all types not at all. So where anything has to come off, both lists are emptied, and the wanted types are
 * added to empty lists. `empties`: a try that is cut off may leave types checked.
 */
export function planModes(
  app: AppName,
  now: checks.ChecksReport,
  wanted: ReadonlyMap<ProcessType, CheckMode>,
): { commands: Command[]; empties: boolean } {
  const typesOf = (mode: CheckMode) => [...wanted].filter(([, each]) => each === mode).map(([type]) => type);
  const disabled = typesOf('disabled');
  const skipped = typesOf('skipped');
  const holdsOthers = (list: ReadonlySet<string>, types: readonly string[]) =>
    [...list].some((type) => !types.includes(type));
  const empties =
    checks.namesAll(now) || holdsOthers(now.disabled, disabled) || holdsOthers(now.skipped, skipped);
  const missing = (types: readonly ProcessType[], list: ReadonlySet<string>) =>
    empties ? types : types.filter((type) => !list.has(type));
  return {
    empties,
    commands: [
      ...(empties ? [checks.enableAll(app)] : []),
      ...commandOf(missing(disabled, now.disabled), (types) => checks.disable(app, types)),
      ...commandOf(missing(skipped, now.skipped), (types) => checks.skip(app, types)),
    ],
  };
}

const commandOf = (types: readonly ProcessType[], make: (types: readonly ProcessType[]) => Command) =>
  types.length === 0 ? [] : [make(types)];
