import { createServer, type Server } from 'node:http';
import { addProxy, addRule, createRuleWork } from '@homeport/api';
import { ownerFromSession, type Store } from '@homeport/store';
import type { Config } from '../config/config.ts';
import { frontDoor, ruleWorkerProgram } from '../services.ts';
import { StartError } from '../start-error.ts';
import { openDemoFolder } from './demo-folder.ts';
import type { FirstAccount } from './first-account.ts';

/** A name of this machine alone (RFC 6761), so it needs no record and no proof. */
export const mergedDomain = 'merged.localhost';

export type DemoSites = { quay: string; journal: string; close(): Promise<void> };

type Pages = Readonly<Record<string, string>>;

/** Two websites that know nothing of each other. Both name their files and pages from the root, as most do. */
const quayPages: Pages = {
  '/': `<h1>Northquay</h1><p>This is the website at / of the proxy. It has a page about <a href="/tides">tides</a>.</p>
<p>The <a href="/journal/">journal</a> is another website, on another port. Visitors see one domain.</p>`,
  '/tides': '<h1>Tides</h1><p>High water comes twice a day. Back to the <a href="/">quay</a>.</p>',
};
const journalPages: Pages = {
  '/': `<h1>Journal</h1><p>This website believes that it stands at /. The proxy service gives its links and files the path
/journal: <a href="/fog">A morning of fog</a>.</p>`,
  '/fog': '<h1>A morning of fog</h1><p>Nothing was seen. Back to the <a href="/">journal</a>.</p>',
};

/** Starts the two websites on the ports that the demo keeps. Throws `StartError` where another program has one. */
export async function startDemoSites(dataFolder: string): Promise<DemoSites> {
  const {
    sitePorts: [quayPort, journalPort],
  } = await openDemoFolder(dataFolder);
  const quay = await startSite(quayPort, { pages: quayPages, colour: '#0b5563' });
  const journal = await startSite(journalPort, { pages: journalPages, colour: '#7a3e00' }).catch(
    async (error: unknown) => {
      await end(quay);
      throw error;
    },
  );
  return {
    quay: `http://127.0.0.1:${quayPort}`,
    journal: `http://127.0.0.1:${journalPort}`,
    close: async () => void (await Promise.all([end(quay), end(journal)])),
  };
}

/** Gives the account a proxy over both websites, unless it has one for their domain. Resolves with the address for visitors. */
export async function giveProxy(
  { store, config }: { store: Store; config: Config },
  { quay, journal }: DemoSites,
  { id }: FirstAccount,
): Promise<string> {
  const door = frontDoor(config);
  const url = door.urlOf(mergedDomain);
  const owner = ownerFromSession(id);
  const known = await store.db
    .selectFrom('proxies')
    .select('id')
    .where('owner_id', '=', owner)
    .where('domain', '=', mergedDomain)
    .executeTakeFirst();
  if (known) return url;
  const work = createRuleWork(ruleWorkerProgram);
  try {
    // No ceiling and no pace keep the demo from starting.
    const unbounded = {
      ceilings: { proxies: Number.POSITIVE_INFINITY },
      pace: { admit: async () => {}, count: () => {} },
    };
    const deps = { store, door, work, clock: Date.now, ...unbounded };
    const proxy = await addProxy(deps, owner, { domain: mergedDomain, source: quay });
    await addRule(deps, owner, proxy.id, {
      ...{ version: proxy.version, newAnswers: 'refuse', path: '/journal', type: 'subdirectory' },
      ...{ target: journal, xForwardedHost: '', proxyPathPrefix: '', injection: '' },
      ...{ pathRewriteSrc: '', pathRewriteDest: '' },
    });
  } finally {
    await work.close();
  }
  return url;
}

async function startSite(port: number, { pages, colour }: { pages: Pages; colour: string }): Promise<Server> {
  const server = createServer((request, answer) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === '/style.css') {
      answer.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=60' });
      answer.end(
        `body { max-width: 40rem; margin: 3rem auto; font: 1.1rem/1.6 sans-serif } h1, a { color: ${colour} }`,
      );
      return;
    }
    const body = pages[path];
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    answer.end(`<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Demo</title>
<link rel="stylesheet" href="/style.css"></head><body>${body ?? '<h1>No such page</h1>'}</body></html>`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartError(
              `Port ${port} on 127.0.0.1, which a website of the demo has, is taken by another program.`,
              'Stop that program, and start the demo again.',
            )
          : error,
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
