import { describe, expect, it } from 'vitest';
import { emptyProxy, readProxy, wholeDomain } from './proxy-draft.ts';

const draft = { name: '', domain: 'example.com', subdomain: '', source: 'www.example.net' };

describe('the form of a new proxy', () => {
  it('is not sent without a domain and a website, and names both', () => {
    expect(readProxy(emptyProxy)).toEqual({
      ok: false,
      problems: { domain: 'Enter a domain.', source: 'Enter the address of your website.' },
    });
  });

  it('leaves an empty name and an empty subdomain to the console', () => {
    expect(readProxy(draft)).toEqual({
      ok: true,
      body: { domain: 'example.com', source: 'www.example.net' },
    });
    expect(readProxy({ ...draft, name: ' Shop ', subdomain: 'www.' })).toMatchObject({
      body: { name: 'Shop', subdomain: 'www' },
    });
  });

  it.each(['https://example.com', 'example.com/blog', 'a b', 'me@example.com', 'example.com:8080'])(
    'refuses %s as a domain',
    (domain) => {
      expect(readProxy({ ...draft, domain })).toHaveProperty('problems.domain');
    },
  );

  it('sends a domain in the form that DNS has', () => {
    expect(readProxy({ ...draft, domain: 'Bücher.example.' })).toMatchObject({
      body: { domain: 'xn--bcher-kva.example' },
    });
  });

  it('shows the whole name that visitors open', () => {
    expect(wholeDomain(draft)).toBe('example.com');
    expect(wholeDomain({ ...draft, subdomain: 'Shop.EU' })).toBe('shop.eu.example.com');
    expect(wholeDomain({ domain: '', subdomain: 'www' })).toBe('');
  });
});
