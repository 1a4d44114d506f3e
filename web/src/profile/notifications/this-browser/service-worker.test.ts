import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

/** The file as browsers get it, in a worker that notes what it is told to do. */
const program = readFileSync(new URL('../../../../public/service-worker.js', import.meta.url), 'utf8');
const origin = 'https://console.example.com';

interface Happened {
  waitUntil?: (work: Promise<unknown>) => void;
  [name: string]: unknown;
}

function startWorker(tabs: { url: string; focus: () => unknown }[] = []) {
  const listeners = new Map<string, (event: Happened) => void>();
  const showNotification = vi.fn(async (_title: string, _options: Record<string, unknown>) => {});
  const openWindow = vi.fn(async (_path: string) => {});
  const worker = {
    location: { origin },
    registration: { showNotification },
    clients: { openWindow, claim: async () => {}, matchAll: async () => tabs },
    addEventListener: (kind: string, listener: (event: Happened) => void) => listeners.set(kind, listener),
  };
  new Function('self', program)(worker);
  const happen = async (kind: string, event: Happened) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(kind)?.({ ...event, waitUntil: (given) => (work = given) });
    await work;
  };
  return { listeners, showNotification, openWindow, happen };
}

const news = {
  title: '<b>lantern</b>',
  body: 'is offline',
  tag: 'thread',
  path: '/server/k3y?a#b',
  quiet: false,
};
const push = (value: unknown) => ({ data: { json: () => value } });

test('it takes no requests of pages', () => {
  expect([...startWorker().listeners.keys()].sort()).toEqual([
    'activate',
    'install',
    'notificationclick',
    'push',
  ]);
});

test('news is shown as text, and takes the place of earlier news of its thread', async () => {
  const { happen, showNotification } = startWorker();
  await happen('push', push(news));
  expect(showNotification).toHaveBeenLastCalledWith('<b>lantern</b>', {
    ...{ body: 'is offline', tag: 'thread', data: '/server/k3y?a#b', silent: false, renotify: true },
    ...{ icon: '/icon-192.png', lang: 'en' },
  });
  await happen('push', push({ ...news, quiet: true }));
  expect(showNotification.mock.lastCall?.[1]).toMatchObject({ tag: 'thread', silent: true, renotify: false });
});

test.each([[push('text')], [push({ ...news, title: 7 })], [{ data: null }], [push(null)]])(
  'a push that cannot be read is shown all the same',
  async (event) => {
    const { happen, showNotification } = startWorker();
    await happen('push', event);
    expect(showNotification).toHaveBeenCalledWith(
      'News of your console',
      expect.objectContaining({ tag: '' }),
    );
    expect(showNotification.mock.lastCall?.[1]).toMatchObject({ data: '/home', renotify: false });
  },
);

test.each([
  ['/server/k3y', '/server/k3y'],
  ['/a/../notifications', '/notifications'],
  ['//evil.example/', '/home'],
  ['/\\evil.example/', '/home'],
  ['/\t/evil.example/', '/home'],
  ['/.//evil.example', '/home'],
  ['/.//[', '/home'],
  ['//[', '/home'],
  ['https://evil.example/', '/home'],
  ['javascript:alert(1)', '/home'],
  ['', '/home'],
  [7, '/home'],
])('a click on news of %j opens %s of the console itself', async (path, opened) => {
  const { happen, showNotification, openWindow } = startWorker();
  await happen('push', push({ ...news, path }));
  const close = vi.fn();
  const data = showNotification.mock.lastCall?.[1]?.data;
  await happen('notificationclick', { notification: { data, close } });
  expect(close).toHaveBeenCalled();
  expect(openWindow).toHaveBeenCalledWith(opened);
  await happen('notificationclick', { notification: { data: path, close } });
  expect(openWindow, 'also where another worker showed it').toHaveBeenLastCalledWith(opened);
});

test('a tab that shows the page already comes to the front, and no other tab is led away', async () => {
  const [there, elsewhere] = [vi.fn(), vi.fn()];
  const tabs = [
    { url: `${origin}/apps/new`, focus: elsewhere },
    { url: `${origin}/server/k3y`, focus: there },
  ];
  const { happen, openWindow } = startWorker(tabs);
  const notification = { data: '/server/k3y', close: () => {} };
  await happen('notificationclick', { notification });
  expect([there.mock.calls.length, elsewhere.mock.calls.length]).toEqual([1, 0]);
  expect(openWindow).not.toHaveBeenCalled();
});
