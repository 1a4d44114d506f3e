import { siteDefaults, siteFields } from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';
import { expect, test } from 'vitest';
import { changeOf, textOf, valuesAfter } from './site-draft.ts';

const site = {
  ...Object.fromEntries(siteFields.map((field) => [field, { set: null, otherwise: siteDefaults[field] }])),
  uploadLimit: { set: '50m', otherwise: '1m' },
  ownTemplate: false,
} as unknown as Site;

test('an untouched form changes nothing, and asks for the build alone', () => {
  expect(changeOf(site, {})).toEqual({ body: { changes: [] }, problems: {} });
  expect(changeOf(site, { uploadLimit: ' 50m ' })).toEqual({ body: { changes: [] }, problems: {} });
});

test('a change names what the page showed', () => {
  expect(changeOf(site, { uploadLimit: '2g', answerTimeout: '5m', hsts: 'false' }).body).toEqual({
    changes: [
      { field: 'uploadLimit', from: '50m', to: '2g' },
      { field: 'answerTimeout', from: null, to: '5m' },
      { field: 'hsts', from: null, to: 'false' },
    ],
  });
});

test('an empty field takes the app’s own value off', () => {
  expect(changeOf(site, { uploadLimit: '' }).body).toEqual({
    changes: [{ field: 'uploadLimit', from: '50m', to: null }],
  });
  expect(valuesAfter(site, { uploadLimit: '' }).uploadLimit).toBe('1m');
});

test('nothing is sent while one field is wrong', () => {
  const { body, problems } = changeOf(site, { uploadLimit: '50 MB', answerTimeout: '5m' });
  expect(body).toBeNull();
  expect(Object.keys(problems)).toEqual(['uploadLimit']);
  expect(valuesAfter(site, { uploadLimit: '50 MB', answerTimeout: '5m' })).toMatchObject({
    uploadLimit: '50m',
    answerTimeout: '5m',
  });
});

test('a value that somebody set on the server, and that could not be sent, may stay', () => {
  const odd: Site = { ...site, answerTimeout: { set: '1d', otherwise: '60s' } };
  expect(textOf(odd, {}, 'answerTimeout')).toBe('1d');
  expect(changeOf(odd, { uploadLimit: '2g' })).toMatchObject({ body: { changes: [{}] }, problems: {} });
});
