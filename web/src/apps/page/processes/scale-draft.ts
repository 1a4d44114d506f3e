import { isProcessCount, secondsPerProcess } from '@homeport/contract/apps/processes/facts';
import type { Processes } from '@homeport/contract/apps/processes/schema';

/** What stands in the fields of types whose number was touched, by type. */
export type Draft = ReadonlyMap<string, string>;

export interface Change {
  type: string;
  from: number;
  to: number;
}

/** A field that holds no number that may be wanted is null. */
export function countIn(text: string): number | null {
  if (!/^\d{1,6}$/.test(text.trim())) return null;
  const count = Number(text);
  return isProcessCount(count) ? count : null;
}

/** The numbers that differ from the wanted ones, and the types whose field holds none. */
export function changesOf(
  types: Processes['types'],
  draft: Draft,
): { changes: Change[]; wrong: ReadonlySet<string> } {
  const changes: Change[] = [];
  const wrong = new Set<string>();
  for (const { type, quantity } of types) {
    const text = draft.get(type);
    if (text === undefined) continue;
    const to = countIn(text);
    if (to === null) wrong.add(type);
    else if (to !== quantity) changes.push({ type, from: quantity, to });
  }
  return { changes, wrong };
}

interface Costs {
  changes: readonly Change[];
  /** The limit of one process of the type, in MB; null: none, or not known. */
  memoryOf: (type: string) => number | null;
  stopped: boolean;
}

/** What the changes cost and what visitors will see, a sentence each. */
export function costSentences({ changes, memoryOf, stopped }: Costs): string[] {
  const none = changes.filter(({ to }) => to === 0).map(({ type }) => type);
  const ends = none.flatMap((type) =>
    type === 'web'
      ? ['Without a web process, visitors get an error (502) in place of the app.']
      : [`Nothing of ${type} will run.`],
  );
  if (stopped) return ['The app is stopped: nothing starts now.', ...ends];
  const started = changes.reduce((sum, { to }) => sum + to, 0);
  const seconds = started * secondsPerProcess;
  return [
    ...(started === 0
      ? []
      : [
          `${started === 1 ? 'One process starts' : `${started} processes start`} anew, one after the other: about ${secondsText(seconds)}.`,
          memorySentence(changes, memoryOf),
        ]),
    ...ends,
    'The postdeploy task of app.json runs again.',
  ];
}

const secondsText = (seconds: number) => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

/** All processes of a changed type are replaced, and the old ones run on for a minute. */
function memorySentence(changes: readonly Change[], memoryOf: Costs['memoryOf']): string {
  const besides = changes.filter(({ to }) => to > 0);
  const limits = besides.map(({ type, from, to }) => {
    const memory = memoryOf(type);
    return memory === null ? null : (from + to) * memory;
  });
  const sum = limits.reduce<number | null>(
    (so, each) => (so === null || each === null ? null : so + each),
    0,
  );
  const how = 'The old ones run on for a minute beside them';
  return sum === null ? `${how}, which doubles the memory.` : `${how}: up to ${sum} MB together.`;
}
