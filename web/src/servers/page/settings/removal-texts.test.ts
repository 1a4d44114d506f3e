import type { ServerRemoval } from '@homeport/contract/servers/schema';
import { expect, test } from 'vitest';
import { appsOnRemoval, removalTexts } from './removal-texts.ts';

const database = (name: string, schedule: ServerRemoval['databases'][number]['schedule']) => ({
  id: `00000000-0000-4000-8000-00000000000${name.length}`,
  name,
  schedule,
});

test('a server without databases needs no word about them', () => {
  expect(removalTexts({ databases: [] }, false).databases).toEqual([]);
});

test('databases and their scheduled backups are named, and the backups go on without the console', () => {
  const removal = { databases: [database('orders', 'runs'), database('cache', null)] };
  expect(removalTexts(removal, false).databases).toEqual([
    'Its 2 databases go from Homeport with it, and run on there unmanaged: orders and cache. Dumps that were made stay on the machine, in /var/lib/dokku/data/homeport/dumps.',
    'The machine goes on to make the scheduled backups of orders. No more reports of them reach Homeport: nobody is notified when one fails.',
  ]);
});

test('with the plugin the scheduled backups end, and the text says so', () => {
  const { databases, plugin } = removalTexts({ databases: [database('orders', 'runs')] }, true);
  expect(databases[1]).toBe('Scheduled backups of orders end.');
  expect(plugin).toContain('they end');
});

test('a schedule that is paused or not known is named too', () => {
  const removal = { databases: [database('orders', 'paused'), database('mail', 'unknown')] };
  expect(removalTexts(removal, false).databases.slice(1)).toEqual([
    'The backups of orders are paused, and stay so: nothing can resume them.',
    'Homeport does not know whether mail has scheduled backups.',
  ]);
});

test('an app that the server no longer has does not run on there', () => {
  const shop = { name: 'shop', missingSince: null };
  expect(appsOnRemoval([shop])).toEqual({ running: [shop], gone: null });
  expect(appsOnRemoval([shop, { name: 'blog', missingSince: 1 }])).toEqual({
    running: [shop],
    gone: 'What Homeport knows of blog, which the server no longer has, goes with it.',
  });
});
