import { describe, expect, it } from 'vitest';
import { collidingKeys } from './staged-changes.ts';
import { noEdits, reduceVariableEdits, type VariableEditsEvent } from './variable-edits.ts';

const present = { values: { MODE: 'production', TOKEN: 's3' } };
const theirs = { values: { MODE: 'staging', TOKEN: 's3' } };
const after = (...events: readonly VariableEditsEvent[]) => events.reduce(reduceVariableEdits, noEdits);
const edited: VariableEditsEvent = {
  kind: 'edited',
  edits: [
    ['MODE', 'test'],
    ['NEW', 'x'],
  ],
  present,
};

describe('the edits of variables', () => {
  it('gather, each with what the variable was before', () => {
    const { staged, begun } = after(edited, { kind: 'edited', edits: [['TOKEN', '']], present });
    expect([...staged]).toEqual([
      ['MODE', 'test'],
      ['NEW', 'x'],
      ['TOKEN', ''],
    ]);
    expect(Object.fromEntries(begun)).toEqual({ MODE: 'production', NEW: null, TOKEN: 's3' });
  });

  it('keep their original value when an edit continues after a change elsewhere', () => {
    const { staged, begun } = after(edited, { kind: 'edited', edits: [['MODE', 'debug']], present: theirs });
    expect(staged.get('MODE')).toBe('debug');
    expect(begun.get('MODE')).toBe('production');
    expect(collidingKeys(theirs, staged, begun)).toEqual(['MODE']);
  });

  it('conflict no longer once the person keeps them', () => {
    const { staged, begun } = after(edited, { kind: 'kept mine', keys: ['MODE'], present: theirs });
    expect(staged.get('MODE')).toBe('test');
    expect(Object.fromEntries(begun)).toEqual({ NEW: null, MODE: 'staging' });
    expect(collidingKeys(theirs, staged, begun)).toEqual([]);
  });

  it('go with their original value when the person undoes them', () => {
    const { staged, begun } = after(edited, { kind: 'taken back', keys: ['MODE'] });
    expect([...staged.keys()]).toEqual(['NEW']);
    expect([...begun.keys()]).toEqual(['NEW']);
  });

  it('are forgotten together', () => expect(after(edited, { kind: 'forgotten' })).toEqual(noEdits));
});
