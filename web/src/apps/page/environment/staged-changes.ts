/** What was edited and not saved yet: key to value; an empty value removes its key. */
export type Staged = ReadonlyMap<string, string>;

export type VariableState = 'kept' | 'added' | 'changed' | 'removed';

export interface Variable {
  key: string;
  /** What it will be; of a removed one what it is. */
  value: string;
  state: VariableState;
  managed: boolean;
}

export interface Present {
  values: Readonly<Record<string, string>>;
  managed: readonly string[];
}

const currentOf = ({ values }: Pick<Present, 'values'>, key: string): string | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/** The edits that differ from what is on the server: also after somebody else made some of them. */
export function pendingChanges(present: Pick<Present, 'values'>, staged: Staged): Staged {
  return new Map([...staged].filter(([key, value]) => stateOf(present, key, value) !== 'kept'));
}

/** What one edit comes to. */
export function stateOf(present: Pick<Present, 'values'>, key: string, value: string): VariableState {
  const now = currentOf(present, key);
  // Dokku can hold an empty value; removing its key is a change then, too.
  if (value === '') return now === undefined ? 'kept' : 'removed';
  if (now === undefined) return 'added';
  return now === value ? 'kept' : 'changed';
}

/** What each edited variable was when its edit began; null for one that was not there. */
export type Begun = ReadonlyMap<string, string | null>;

/** Notes where edits of these keys begin; one that has begun keeps its beginning. */
export const begin = (before: Begun, present: Pick<Present, 'values'>, keys: Iterable<string>): Begun =>
  new Map([...[...keys].map((key) => [key, currentOf(present, key) ?? null] as const), ...before]);

/** Keys that were changed elsewhere since their edit began here, to something that the edit would overwrite. */
export function collidingKeys(present: Pick<Present, 'values'>, staged: Staged, begun: Begun): string[] {
  return [...pendingChanges(present, staged).keys()].filter(
    (key) => begun.has(key) && begun.get(key) !== (currentOf(present, key) ?? null),
  );
}

/** All variables as they would be after saving, by key; removed ones stay in sight until then. */
export function listVariables(present: Present, staged: Staged): Variable[] {
  const pending = pendingChanges(present, staged);
  const keys = new Set([...Object.keys(present.values), ...pending.keys()]);
  return [...keys]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => {
      const next = pending.get(key);
      const now = currentOf(present, key) ?? '';
      return {
        key,
        value: next === undefined || next === '' ? now : next,
        state: next === undefined ? 'kept' : stateOf(present, key, next),
        managed: present.managed.includes(key),
      };
    });
}

/** Adds edits to those before; the later one of a key holds. */
export const stage = (before: Staged, edits: Iterable<readonly [string, string]>): Staged =>
  new Map([...before, ...edits]);

export const unstage = (before: Staged, key: string): Staged =>
  new Map([...before].filter(([each]) => each !== key));

/** A text area knows \n only: a value that had \r\n throughout gets them back, so that an edit changes what was edited. */
export function withLineEndsOf(original: string, edited: string): string {
  const onlyWindows = original.includes('\r\n') && !/(^|[^\r])\n/.test(original);
  return onlyWindows ? edited.replace(/\r?\n/g, '\r\n') : edited;
}
