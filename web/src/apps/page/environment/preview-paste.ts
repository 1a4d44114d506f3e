import {
  environmentKeyProblem,
  environmentValueProblem,
  rewrittenValue,
} from '@homeport/contract/apps/environment';
import { readDotenv } from './read-dotenv.ts';
import { stateOf, type Variable, type VariableState } from './staged-changes.ts';

export interface PasteRow {
  key: string;
  value: string;
  state: VariableState | 'refused';
  note: string | null;
}

/** Compares a pasted .env file with the staged variables. */
export function previewPaste(
  text: string,
  variables: readonly Variable[],
): { rows: PasteRow[]; badLines: readonly number[] } {
  const { values, badLines } = readDotenv(text);
  const present = {
    values: Object.fromEntries(
      variables.filter(({ state }) => state !== 'removed').map(({ key, value }) => [key, value]),
    ),
  };
  const managed = new Set(variables.filter((each) => each.managed).map(({ key }) => key));
  const rows = [...values].map(([key, value]): PasteRow => {
    if (managed.has(key)) return { key, value, state: 'refused', note: 'Dokku keeps this one itself.' };
    const problem = environmentKeyProblem(key) ?? environmentValueProblem(value);
    if (problem !== null) return { key, value, state: 'refused', note: problem };
    const rewritten = rewrittenValue(value);
    const note = rewritten === null ? null : `Dokku rewrites whole numbers: the app will see ${rewritten}.`;
    return { key, value, state: stateOf(present, key, value), note };
  });
  return { rows, badLines };
}
