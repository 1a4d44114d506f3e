import { appGoneText } from '@homeport/contract/apps/health';
import { readOnlyTexts } from '@homeport/contract/servers/closed';
import { expect, test } from 'vitest';
import { closedForLinks, closedOnApp } from './closed-on-app.ts';

const server = { simulated: false, credential: 'password' };
const readOnly = { simulated: false, credential: null };
const there = { missingSince: null };
const gone = { missingSince: 1 };

test('an app is closed where its server is, and where the server no longer has it', () => {
  expect(closedOnApp(there, server)).toBeNull();
  expect(closedOnApp(gone, server)).toBe(appGoneText);
  expect(closedOnApp(gone, readOnly)).toBe(readOnlyTexts.act);
  expect(closedOnApp(there, readOnly, 'deploy')).toBe(readOnlyTexts.deploy);
});

test('a database is unlinked also from an app that is gone', () => {
  expect(closedForLinks(gone, server)).toEqual({ change: appGoneText, unlink: null });
  expect(closedForLinks(there, readOnly)).toEqual({ change: readOnlyTexts.act, unlink: readOnlyTexts.act });
});
