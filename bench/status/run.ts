import { createConnection, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Console, startConsole } from '../../e2e/fixtures/console.ts';
import { figure, tidy } from '../figure.ts';

const slug = 'bench-services';
const connections = 32;
const warmUpMs = 2_000;
const measuredMs = 5_000;
const atLeastEachSecond = 5_000;
const publishedWithinMs = 30_000;

/** Strangers read one status page of a console as it starts by `npm start`, with a compressed answer as browsers ask for it, and with a known tag. */
async function main(): Promise<void> {
  const homeport = await startConsole({ HOMEPORT_STATUS_PAGES: 'true' });
  try {
    await publish(homeport);
    const { hostname, port } = new URL(homeport.url);
    const address = { host: hostname, port: Number(port) };
    const { etag, bytes } = await look(homeport);
    const head = `GET /status/${slug} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept-Encoding: gzip\r\n`;
    await measure(`a page of ${bytes} bytes`, address, `${head}\r\n`, 200);
    await measure('a page that the reader has (304)', address, `${head}If-None-Match: ${etag}\r\n\r\n`, 304);
  } finally {
    await homeport.stop();
  }
}

/** Makes a page by the routes that its editor uses, and waits until it is rendered. */
async function publish({ url, owner }: Console): Promise<void> {
  const cookie = owner.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { cookie, origin: url, 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return z.object({ id: z.string(), version: z.number() }).parse(await answer.json());
  };
  const { id, version } = await call('POST', '/api/status-pages', { slug, title: 'Services' });
  await call('PATCH', `/api/status-pages/${id}`, { version, published: true });
  const deadline = performance.now() + publishedWithinMs;
  while ((await fetch(`${url}/status/${slug}`)).status !== 200) {
    if (performance.now() > deadline) throw new Error('The page was not rendered in time.');
    await wait(100);
  }
}

/** The page's tag, and its length as it travels. */
async function look({ url }: Console): Promise<{ etag: string; bytes: number }> {
  const answer = await fetch(`${url}/status/${slug}`, { headers: { 'accept-encoding': 'gzip' } });
  await answer.arrayBuffer();
  const etag = answer.headers.get('etag');
  if (etag === null) throw new Error('The page has no tag.');
  return { etag, bytes: Number(answer.headers.get('content-length')) };
}

/** Asks again and again over kept connections, each as soon as it has its answer. */
async function measure(
  what: string,
  address: { host: string; port: number },
  request: string,
  status: number,
): Promise<void> {
  const times: number[] = [];
  let isMeasured = false;
  let isOver = false;
  const ask = async (): Promise<void> => {
    const socket = createConnection({ ...address, noDelay: true });
    const answers = answersOf(socket);
    while (!isOver) {
      const began = performance.now();
      socket.write(request);
      const { value: got, done } = await answers.next();
      if (done || got !== status) throw new Error(`The console answered ${got}.`);
      if (isMeasured) times.push(performance.now() - began);
    }
    socket.destroy();
  };
  const asking = Promise.all(Array.from({ length: connections }, ask));
  await wait(warmUpMs);
  isMeasured = true;
  const began = performance.now();
  await wait(measuredMs);
  isMeasured = false;
  const perSecond = times.length / ((performance.now() - began) / 1_000);
  isOver = true;
  await asking;
  times.sort((a, b) => a - b);
  figure({
    what: `status: ${what}, over ${connections} connections`,
    value: `${Math.round(perSecond)} requests/s`,
    budget: `≥ ${atLeastEachSecond} requests/s`,
    kept: perSecond >= atLeastEachSecond,
  });
  figure({
    what: `status: ${what}, 99th percentile`,
    value: `${tidy(times[Math.floor(times.length * 0.99)] ?? Number.NaN)} ms`,
  });
}

/** The status of each answer of a kept connection, once it is whole (RFC 9112, 6: by its Content-Length; a 304 has no content). */
async function* answersOf(socket: Socket): AsyncGenerator<number> {
  let buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    buffer = Buffer.concat([buffer, chunk]);
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) continue;
    const head = buffer.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const length = status === 304 ? 0 : Number(/\r\ncontent-length: ([0-9]+)/i.exec(head)?.[1]);
    if (buffer.length < end + 4 + length) continue;
    buffer = buffer.subarray(end + 4 + length);
    yield status;
  }
}

await main();
