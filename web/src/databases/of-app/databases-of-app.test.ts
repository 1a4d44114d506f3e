import type { Database } from '@homeport/contract/databases/schema';
import { expect, test } from 'vitest';
import { databasesOfApp } from './databases-of-app.ts';

const link = { appLongname: 'shop-a1', appId: null, appName: null, variable: 'DATABASE_URL' };
const database = (id: string, serverId: string, links: readonly object[]) =>
  ({ id, serverId, links }) as unknown as Database;

test('the databases of an app are those of its server that are linked to it', () => {
  const found = databasesOfApp({ serverId: 's', longname: 'shop-a1' }, [
    database('here', 's', [{ ...link, appLongname: 'blog-b2' }, link]),
    database('same name elsewhere', 'other', [link]),
    database('not linked', 's', []),
  ]);
  expect(found.map((each) => [each.database.id, each.link.variable])).toEqual([['here', 'DATABASE_URL']]);
});
