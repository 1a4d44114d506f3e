import { type Begun, begin, type Present, type Staged, stage, unstage } from './staged-changes.ts';

/** The unsaved edits, and the value of each variable when its edit began. */
export interface VariableEdits {
  staged: Staged;
  begun: Begun;
}

type Now = Pick<Present, 'values'>;

/** `present`: the variables as the server has them when the event happens. */
export type VariableEditsEvent =
  | { kind: 'edited'; edits: readonly (readonly [string, string])[]; present: Now }
  | { kind: 'taken back'; keys: readonly string[] }
  /** The user keeps these edits although somebody else changed the variables. */
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
