/** Edits that are not saved yet: key to value. An empty value removes its key. */
export type Staged = ReadonlyMap<string, string>;

export type VariableState = 'kept' | 'added' | 'changed' | 'removed';

export interface Variable {
  key: string;
  /** The value after saving. For a removed key, the present value. */
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

/** The edits that still differ from the server. Somebody else may have made some of them meanwhile. */
export function pendingChanges(present: Pick<Present, 'values'>, staged: Staged): Staged {
  return new Map([...staged].filter(([key, value]) => stateOf(present, key, value) !== 'kept'));
}

/** The effect of one edit. */
export function stateOf(present: Pick<Present, 'values'>, key: string, value: string): VariableState {
  const now = currentOf(present, key);
  // Dokku can hold an empty value. Removing such a key is a change too.
  if (value === '') return now === undefined ? 'kept' : 'removed';
  if (now === undefined) return 'added';
  return now === value ? 'kept' : 'changed';
}

/** The value of each variable when its edit began. null for a variable that did not exist. */
export type Begun = ReadonlyMap<string, string | null>;

/** Records the values at the start of an edit. An edit that is under way keeps its start. */
export const begin = (before: Begun, present: Pick<Present, 'values'>, keys: Iterable<string>): Begun =>
  new Map([...[...keys].map((key) => [key, currentOf(present, key) ?? null] as const), ...before]);

/** Keys that somebody else changed after their edit began here. Saving would overwrite the new value. */
export function collidingKeys(present: Pick<Present, 'values'>, staged: Staged, begun: Begun): string[] {
  return [...pendingChanges(present, staged).keys()].filter(
    (key) => begun.has(key) && begun.get(key) !== (currentOf(present, key) ?? null),
  );
}

/** All variables as saving would leave them, sorted by key. Removed variables stay visible until then. */
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

/** Adds edits to the earlier ones. The later edit of a key wins. */
export const stage = (before: Staged, edits: Iterable<readonly [string, string]>): Staged =>
  new Map([...before, ...edits]);

export const unstage = (before: Staged, key: string): Staged =>
  new Map([...before].filter(([each]) => each !== key));

/**
 * A text area knows only \n. A value that used \r\n throughout gets \r\n back, so that an edit changes only
 * the edited text.
 */
export function withLineEndsOf(original: string, edited: string): string {
  const onlyWindows = original.includes('\r\n') && !/(^|[^\r])\n/.test(original);
  return onlyWindows ? edited.replace(/\r?\n/g, '\r\n') : edited;
}
