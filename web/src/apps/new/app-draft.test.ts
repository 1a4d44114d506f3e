import { describe, expect, it } from 'vitest';
import { emptyDraft, ownDomain, readDraft } from './app-draft.ts';

const draft = { ...emptyDraft, name: ' ledger ', serverId: 's', keyIds: ['k'] };

describe('the form of a new app', () => {
  it('names everything that is missing at once', () => {
    expect(readDraft({ ...emptyDraft, keyIds: [], https: true })).toEqual({
      ok: false,
      problems: {
        name: 'Enter a name.',
        serverId: 'Choose a server.',
        keyIds: 'Choose at least one key.',
        httpsEmail: 'Enter an e-mail address.',
      },
    });
  });
  it('asks for plan 3 and no HTTPS unless told otherwise', () => {
    expect(readDraft(draft)).toEqual({
      ok: true,
      body: { name: 'ledger', serverId: 's', plan: 3, keyIds: ['k'], watched: true },
    });
  });
  it('begins with nothing, with a starter or with a branch of a repository', () => {
    const begins = (part: Partial<typeof draft>) => {
      const reading = readDraft({ ...draft, ...part });
      return reading.ok && reading.body.begin;
    };
    expect(begins({})).toBeUndefined();
    expect(begins({ begin: 'node' })).toEqual({ from: 'starter', starter: 'node' });
    expect(begins({ begin: 'repository', repository: ' ines/ledger ', branch: 'main ' })).toEqual({
      from: 'repository',
      fullName: 'ines/ledger',
      branch: 'main',
    });
  });
  it.each(['ledger', 'https://github.com/ines/ledger', 'ines/led ger', ''])(
    'asks for another repository in place of “%s”',
    (repository) => {
      expect(readDraft({ ...draft, begin: 'repository', repository, branch: ' ' })).toEqual({
        ok: false,
        problems: {
          'begin.fullName': 'Enter a repository as owner/name.',
          'begin.branch': 'Enter a branch such as main.',
        },
      });
    },
  );
  it.each([
    ['shop', 'shop.example.com'],
    [' Shop. ', 'shop.example.com'],
    ['www.shop', 'www.shop.example.com'],
    ['shop.example.com', 'shop.example.com'],
    ['@', 'example.com'],
    ['example.com', 'example.com'],
    ['bücher', 'xn--bcher-kva.example.com'],
    ['4', '4.example.com'],
    ['notexample.com', 'notexample.com.example.com'],
    ['', null],
    ['a b', 'no name'],
    ['-', 'no name'],
    ['*', 'no name'],
    ['shop/blog', 'no name'],
    ['shop:80', 'no name'],
  ])('reads the domain “%s” of a zone as %s', (host, whole) => {
    expect(ownDomain({ host, zone: 'example.com' })).toBe(whole);
  });
  it('sends a domain that is wanted, and asks for another name where it is none', () => {
    const domainOf = (part: Partial<typeof draft>) => {
      const reading = readDraft({ ...draft, ...part });
      return reading.ok ? reading.body.ownDomain : reading.problems['ownDomain.domain'];
    };
    expect(domainOf({ host: 'shop', zone: 'example.com' })).toEqual({ domain: 'shop.example.com' });
    expect(domainOf({ host: 'a b', zone: 'example.com' })).toContain('Enter a name');
    expect(domainOf({ host: '', zone: 'example.com' })).toBeUndefined();
    expect(domainOf({ host: 'shop', zone: null })).toBeUndefined();
  });
  it('sends the e-mail address only with HTTPS on', () => {
    const withEmail = { ...draft, httpsEmail: ' ines@northquay.example ' };
    expect(readDraft(withEmail)).not.toHaveProperty('body.httpsEmail');
    expect(readDraft({ ...withEmail, https: true })).toHaveProperty(
      'body.httpsEmail',
      'ines@northquay.example',
    );
  });
});
