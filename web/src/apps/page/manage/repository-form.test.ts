import { describe, expect, it } from 'vitest';
import { differs, fieldsOf, readRepository } from './repository-form.ts';

const linked = { fullName: 'ines/ledger', branch: 'release' };

describe('the form of a repository', () => {
  it('starts with the linked repository, or with the branch main', () => {
    expect(fieldsOf(linked)).toEqual(linked);
    expect(fieldsOf(null)).toEqual({ fullName: '', branch: 'main' });
  });

  it('knows whether a field differs from the linked repository', () => {
    expect(differs(linked, linked)).toBe(false);
    expect(differs({ ...linked, branch: 'main' }, linked)).toBe(true);
    expect(differs({ ...linked, fullName: 'ines/books' }, linked)).toBe(true);
    expect(differs(fieldsOf(null), null)).toBe(false);
  });

  it('can be sent with an owner, a name and a branch', () => {
    expect(readRepository(linked)).toEqual({ ok: true, repository: linked });
  });

  it('names the fault of each field under the field', () => {
    const wrong = readRepository({ fullName: 'ledger', branch: '' });
    expect(wrong).toEqual({
      ok: false,
      problems: { fullName: expect.any(String), branch: expect.any(String) },
    });
    const name = readRepository({ ...linked, fullName: 'ledger' });
    expect(name).toEqual({ ok: false, problems: { fullName: expect.any(String) } });
  });
});
