import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rememberOpened, wasOpened } from './opened-once.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a dialog that opens once by itself', () => {
  it('opens once for each account of a browser', () => {
    rememberOpened('homeport.welcomed', 'ines');
    expect(wasOpened('homeport.welcomed', 'ines')).toBe(true);
    expect(wasOpened('homeport.welcomed', 'omar')).toBe(false);
    expect(wasOpened('homeport.deploy-hint', 'ines')).toBe(false);
  });

  it('stays closed in a browser that an earlier version marked', () => {
    kept.set('homeport.welcomed', 'yes');
    expect(wasOpened('homeport.welcomed', 'lena')).toBe(true);
    rememberOpened('homeport.welcomed', 'lena');
    expect(kept.get('homeport.welcomed')).toBe('yes');
  });

  it('keeps a bounded list, and reads a damaged one as empty', () => {
    for (let account = 0; account < 40; account += 1) rememberOpened('homeport.key-help', `a${account}`);
    expect(JSON.parse(kept.get('homeport.key-help') ?? '')).toHaveLength(20);
    kept.set('homeport.key-help', '[1,');
    expect(wasOpened('homeport.key-help', 'somebody')).toBe(false);
  });

  it('opens once for each page where the browser refuses storage', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
    expect(wasOpened('homeport.welcomed', 'vera')).toBe(false);
    rememberOpened('homeport.welcomed', 'vera');
    expect(wasOpened('homeport.welcomed', 'vera')).toBe(true);
  });
});
