import { expect, test } from 'vitest';
import { isPromoted, linkedName, restartsAtFirst, variableSentence } from './link-texts.ts';

const link = (variable: string | null, appLongname = 'shop-a1') => ({
  appLongname,
  appId: null,
  appName: null,
  variable,
});
const database = (id: string, over: object = {}) => ({
  id,
  name: id,
  type: 'postgres' as const,
  serverId: 's',
  links: [link('DATABASE_URL')],
  ...over,
});

test('an app that Homeport does not know has its name on the server', () => {
  expect(linkedName({ appName: 'Shop', appLongname: 'shop-a1' })).toBe('Shop');
  expect(linkedName({ appName: null, appLongname: 'shop-a1' })).toBe('shop-a1');
});

test('a database is promoted where the app reads it from the type’s own variable', () => {
  expect(isPromoted('postgres', link('DATABASE_URL'))).toBe(true);
  expect(isPromoted('postgres', link('DOKKU_POSTGRES_AQUA_URL'))).toBe(false);
  expect(isPromoted('redis', link('DATABASE_URL'))).toBe(false);
  expect(isPromoted('redis', link(null))).toBeNull();
});

test('the sentence names the database that the app reads from the same variable', () => {
  const fresh = database('fresh', { links: [] });
  expect(variableSentence(fresh, 'shop-a1', [database('old'), fresh])).toContain('from old already');
  for (const others of [
    [database('elsewhere', { serverId: 'other' })],
    [database('other variable', { links: [link('DOKKU_POSTGRES_AQUA_URL')] })],
    [database('other app', { links: [link('DATABASE_URL', 'blog-b2')] })],
    [],
  ])
    expect(variableSentence(fresh, 'shop-a1', others)).toContain('in DATABASE_URL, or in another');
});

test('only an app that runs restarts for a new variable', () => {
  const deployment = { status: 'succeeded', at: 1 } as const;
  expect(restartsAtFirst({ stopped: false, missingSince: null, deployment })).toBe(true);
  expect(restartsAtFirst({ stopped: true, missingSince: null, deployment })).toBe(false);
  expect(
    restartsAtFirst({ stopped: false, missingSince: null, deployment: { status: 'never', at: null } }),
  ).toBe(false);
  expect(restartsAtFirst(undefined)).toBe(false);
});
