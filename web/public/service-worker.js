// Shows the news that the console sends to this browser, and opens its page at a click. It answers no request of a page and keeps nothing.
const home = '/home';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(show(readNews(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(pathOf(event.notification.data)));
});

/** A push without a notification costs the console its permission, so what cannot be read is shown as well. */
function readNews(data) {
  try {
    const { title, body, tag, path, quiet } = data.json();
    if (typeof title !== 'string' || typeof body !== 'string') throw new TypeError('no news');
    return {
      title,
      body,
      tag: typeof tag === 'string' ? tag : '',
      path: pathOf(path),
      quiet: quiet === true,
    };
  } catch {
    return {
      title: 'News of your console',
      body: 'Open the console to read it.',
      tag: '',
      path: home,
      quiet: false,
    };
  }
}

/** Titles and bodies are text. A notification with the tag of an earlier one takes its place, and calls again unless it is quiet. */
function show({ title, body, tag, path, quiet }) {
  return self.registration.showNotification(title, {
    ...{ body, tag, silent: quiet, data: path, icon: '/icon-192.png', lang: 'en' },
    renotify: tag !== '' && !quiet,
  });
}

/** A path of this origin, or the first page. What comes out is read as the same again: `/.//host` would become `//host`. */
function pathOf(path) {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, self.location.origin))
    return home;
  const url = new URL(path, self.location.origin);
  const isOurs = url.origin === self.location.origin && !url.pathname.startsWith('//');
  return isOurs ? url.pathname + url.search + url.hash : home;
}

/** A tab that shows the page already comes to the front; no other tab is led away from what it shows. */
async function open(path) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === new URL(path, self.location.origin).href);
  await (tab ? tab.focus() : self.clients.openWindow(path));
}
