import { type Begun, begin, type Present, type Staged, stage, unstage } from './staged-changes.ts';

/** What a person edited and has not saved yet, and what each variable was when its edit began. */
export interface VariableEdits {
  staged: Staged;
  begun: Begun;
}

type Now = Pick<Present, 'values'>;

/** `present`: the variables as the server has them at that moment. */
export type VariableEditsEvent =
  | { kind: 'edited'; edits: readonly (readonly [string, string])[]; present: Now }
  | { kind: 'taken back'; keys: readonly string[] }
  /** The edits hold although somebody else changed these variables meanwhile. */
  | { kind: 'kept mine'; keys: readonly string[]; present: Now }
  | { kind: 'forgotten' };

export const noEdits: VariableEdits = { staged: new Map(), begun: new Map() };

export function reduceVariableEdits(state: VariableEdits, event: VariableEditsEvent): VariableEdits {
  const { staged, begun } = state;
  switch (event.kind) {
    case 'edited': {
      const keys = event.edits.map(([key]) => key);
      return { staged: stage(staged, event.edits), begun: begin(begun, event.present, keys) };
    }
    case 'taken back':
      return { staged: event.keys.reduce(unstage, staged), begun: without(begun, event.keys) };
    case 'kept mine':
      return { staged, begun: begin(without(begun, event.keys), event.present, event.keys) };
    case 'forgotten':
      return noEdits;
  }
}

const without = (begun: Begun, keys: readonly string[]): Begun =>
  new Map([...begun].filter(([key]) => !keys.includes(key)));
