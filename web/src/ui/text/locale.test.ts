import { expect, it } from 'vitest';
import { chooseLocale, mendLanguage, pageLocale } from './locale.ts';

it('the page takes the first language that Intl knows how to read', () => {
  expect(chooseLocale(['de-CH', 'en-US'])).toBe('de-CH');
  expect(chooseLocale(['C', 'fr'])).toBe('fr');
});

it.each([[['C']], [['c', '']], [[]], [undefined]])(
  'the page writes English where the browser’s languages are %j',
  (languages) => {
    const locale = chooseLocale(languages);
    expect(new Intl.NumberFormat(locale).format(1_234)).toBe('1,234');
    expect(new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(0)).toMatch(/^1 Jan$/);
  },
);

it('a library that reads a refused language gets the page’s locale', () => {
  // Like a browser's navigator, whose language stands on the prototype and cannot be written.
  const browser = new (class {
    get language() {
      return 'C';
    }
  })();
  expect(() => new Intl.NumberFormat(browser.language)).toThrow(RangeError);
  mendLanguage(browser);
  expect(browser.language).toBe(pageLocale);
  expect(() => new Intl.NumberFormat(browser.language)).not.toThrow();
});

it('a language that Intl takes stays', () => {
  const browser = Object.freeze({ language: 'pt-BR' });
  mendLanguage(browser);
  expect(browser.language).toBe('pt-BR');
});
