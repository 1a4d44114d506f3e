import { describe, expect, it } from 'vitest';
import {
  begin,
  collidingKeys,
  listVariables,
  pendingChanges,
  stage,
  stateOf,
  unstage,
  withLineEndsOf,
} from './staged-changes.ts';

const present = { values: { MODE: 'production', PORT: '5000', TOKEN: 's3' }, managed: ['PORT'] };
const edits = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe('edits before they are saved', () => {
  it('shows added, changed and removed variables beside the others', () => {
    const list = listVariables(present, edits({ MODE: 'test', NEW: 'x', TOKEN: '' }));
    expect(list.map(({ key, value, state }) => [key, value, state])).toEqual([
      ['MODE', 'test', 'changed'],
      ['NEW', 'x', 'added'],
      ['PORT', '5000', 'kept'],
      ['TOKEN', 's3', 'removed'],
    ]);
    expect(list.filter(({ managed }) => managed).map(({ key }) => key)).toEqual(['PORT']);
  });
  it('drops an edit without effect, and the removal of an absent variable', () => {
    expect([...pendingChanges(present, edits({ MODE: 'production', GONE: '' }))]).toEqual([]);
  });
  it('knows which of its keys changed elsewhere since', () => {
    const begun = begin(new Map(), present, ['MODE', 'NEW', 'TOKEN']);
    const staged = edits({ MODE: 'test', NEW: 'x', TOKEN: '' });
    expect(collidingKeys(present, staged, begun)).toEqual([]);
    const theirs = (values: Record<string, string>) => ({ values: { ...present.values, ...values } });
    expect(collidingKeys(theirs({ MODE: 'staging', PORT: '1' }), staged, begun)).toEqual(['MODE']);
    expect(collidingKeys(theirs({ NEW: 'y' }), staged, begun)).toEqual(['NEW']);
    // The same change on both sides is no conflict.
    expect(collidingKeys(theirs({ MODE: 'test' }), staged, begun)).toEqual([]);
  });
  it('keeps the original value of an edit that continues', () => {
    const begun = begin(new Map([['MODE', 'dev']]), present, ['MODE', 'NEW']);
    expect([...begun]).toEqual([
      ['MODE', 'dev'],
      ['NEW', null],
    ]);
  });
  it('removes a variable whose value is empty', () => {
    expect(stateOf({ values: { EMPTY: '' } }, 'EMPTY', '')).toBe('removed');
  });
  it('does not take a property of every object for a variable', () => {
    expect(stateOf({ values: {} }, 'constructor', '')).toBe('kept');
    expect(stateOf({ values: {} }, 'constructor', 'x')).toBe('added');
  });
  it('keeps the later edit of a key, and can undo a single edit', () => {
    const both = stage(edits({ A: '1', B: '2' }), [['A', '3']]);
    expect([...both]).toEqual([
      ['A', '3'],
      ['B', '2'],
    ]);
    expect([...unstage(both, 'A')]).toEqual([['B', '2']]);
  });
  it('restores a value’s Windows line ends if it had no others', () => {
    expect(withLineEndsOf('a\r\nb', 'a\nc\n')).toBe('a\r\nc\r\n');
    expect(withLineEndsOf('a\nb\r\n', 'a\nb')).toBe('a\nb');
  });
});
