import { routes } from '@homeport/contract/routes';
import { expect, it } from 'vitest';
import { firstKeys, ownersFirstKeys } from './first-keys.ts';

it('a document asks for what each person may read, and the owner’s page for the rest', () => {
  const isOwners = (key: string) => (routes as Record<string, { access?: unknown }>)[key]?.access === 'owner';
  const paths = [
    '/',
    '/apps',
    '/app/s/a',
    '/server/s',
    '/databases/d',
    '/domains',
    '/proxies',
    '/profile',
    '/notifications',
    '/console',
  ];
  expect(paths.flatMap(firstKeys).filter(isOwners)).toEqual([]);
  expect(paths.flatMap(ownersFirstKeys).filter((key) => !isOwners(key))).toEqual([]);
});

it('a new record has no data of a record, and an address of no page has none', () => {
  expect(firstKeys('/databases/new')).toEqual(firstKeys('/databases'));
  expect(firstKeys('/databases/ledger')).toContain('GET /api/connections');
  for (const path of ['/constructor', '/__proto__', '/nowhere']) expect(firstKeys(path)).toEqual([]);
});
