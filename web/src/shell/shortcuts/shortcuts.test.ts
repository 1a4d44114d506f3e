import { describe, expect, it } from 'vitest';
import { entries, entryOf } from '../navigation/entries.ts';
import { readShortcut } from './shortcuts.ts';

describe('key sequences', () => {
  it('with G lead to every entry of the sidebar', () => {
    for (const { letter, path } of entries) {
      const first = readShortcut(null, 'g');
      expect(first.act).toBeNull();
      expect(readShortcut(first.prefix, letter)).toEqual({ prefix: null, act: { kind: 'go', path } });
    }
  });
  it('with N create something, where K is a keypair and not the previous row', () => {
    expect(readShortcut('n', 'k').act).toEqual({ kind: 'new', what: 'keypair' });
    expect(readShortcut('n', 'd').act).toEqual({ kind: 'new', what: 'database' });
    expect(readShortcut('n', 'p').act).toEqual({ kind: 'new', what: 'proxy' });
    expect(readShortcut(null, 'k').act).toEqual({ kind: 'previous-row' });
  });
  it('are forgotten after a key that does not fit', () => {
    expect(readShortcut('g', 'x')).toEqual({ prefix: null, act: null });
  });
});

describe('the current entry', () => {
  it('is the entry of the shown page', () => {
    expect(entryOf('/server/k1')?.label).toBe('Servers');
    expect(entryOf('/app/k1/ledger')?.label).toBe('Applications');
    expect(entryOf('/ssh-keys/new')?.label).toBe('Credentials');
    expect(entryOf('/profile')).toBeUndefined();
  });
});
