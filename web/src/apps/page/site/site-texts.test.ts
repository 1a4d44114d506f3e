import { siteDefaults, siteFields } from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';
import { expect, test } from 'vitest';
import { answerText, hstsTimeText, hstsWarnings, siteText, uploadText, valuesInForce } from './site-texts.ts';

const untouched = {
  ...Object.fromEntries(siteFields.map((field) => [field, { set: null, otherwise: siteDefaults[field] }])),
  ownTemplate: false,
} as unknown as Site;
const value = (set: string) => ({ set, otherwise: 'x' });

test('the line says what holds', () => {
  expect(siteText(untouched, true)).toBe(
    'Uploads up to 1 MiB, answers within 60 s, HSTS for 182 days with subdomains.',
  );
  const site: Site = {
    ...untouched,
    uploadLimit: value('0'),
    answerTimeout: value('5m'),
    hsts: value('false'),
  };
  expect(siteText(site, true)).toBe('Uploads up to any size, answers within 5 min, no HSTS.');
});

test('no header is promised without HTTPS, and nothing of a template of the app’s own', () => {
  expect(siteText(untouched, false)).toContain('no HSTS without HTTPS');
  expect(siteText({ ...untouched, ownTemplate: true }, true)).toContain(
    'nginx.conf.sigil, so most of it does nothing',
  );
  expect(siteText({ ...untouched, ownTemplate: null }, true)).not.toContain('sigil');
});

test('units are spelled out, and a text that is not read stays as it is', () => {
  expect(['500k', '2g', '4096', '50M', 'lots'].map(uploadText)).toEqual([
    ...['500 KiB', '2 GiB', '4096 bytes'],
    ...['50M', 'lots'],
  ]);
  expect(['1500ms', '1h', '1h 30m'].map(answerText)).toEqual(['1500 ms', '1 h', '1h 30m']);
  expect(['0', '300', '86400', '31536000', 'x'].map(hstsTimeText)).toEqual([
    ...['0 s', '300 s', '1 day'],
    ...['365 days', 'x'],
  ]);
});

test('the warning names the domains, and speaks of subdomains only where they are included', () => {
  const of = { domains: ['example.com'], https: true };
  const values = valuesInForce(untouched);
  expect(hstsWarnings(values, of)).toEqual([
    expect.stringContaining('example.com over HTTPS alone from then on, for 182 days'),
    expect.stringContaining('every name below example.com'),
  ]);
  expect(hstsWarnings({ ...values, hstsSubdomains: 'false' }, of)).toHaveLength(1);
  expect(hstsWarnings({ ...values, hsts: 'false' }, of)).toEqual([]);
  expect(hstsWarnings(values, { ...of, https: false }).at(-1)).toBe('It is sent once HTTPS is enabled.');
});
