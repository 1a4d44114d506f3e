import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { planeLimits } from './limits.ts';
import { createHostileVisits, type HostileVisit } from './testing/hostile-visits.ts';
import {
  markOf,
  type Recorded,
  type RecordingUpstream,
  startNodeRecorder,
  startRawRecorder,
} from './testing/recording-upstreams.ts';
import { startPlane, type TestPlane } from './testing/start-plane.ts';
import { readStrictly, type StrictMessage } from './testing/strict-messages.ts';

// Thousands of visits, well-formed and spoiled, over few shared connections. Each request carries a mark of its own in its address, and
// most bodies hold a text that would be a request where somebody loses count.

const visits = 800;
const atOnce = 24;
const host = 'example.test';
const lateMs = 20_000;

/** A request as the plane's own parser read it. `body` grows until the request is complete. */
type Taken = { mark: string; method: string; body: string; req: IncomingMessage };

/**
 * What the plane's parser reads: all of it, and by the port of a visitor. Taken where the parser puts the bytes, so that nothing flows
 * otherwise.
 */
function watchRequests(plane: TestPlane): { all: Taken[]; byPort: Map<number, Taken[]> } {
  const byPort = new Map<number, Taken[]>();
  const all: Taken[] = [];
  const watch = (req: IncomingMessage) => {
    const taken: Taken = { mark: markOf(req.url ?? ''), method: req.method ?? '', body: '', req };
    const port = req.socket.remotePort ?? 0;
    byPort.get(port)?.push(taken);
    all.push(taken);
    const push = req.push.bind(req);
    req.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (Buffer.isBuffer(chunk)) taken.body += chunk.toString('latin1');
      return push(chunk, encoding);
    };
  };
  plane.plane.server.on('connection', ({ remotePort }: Socket) => byPort.set(remotePort ?? 0, []));
  for (const event of ['request', 'checkContinue', 'checkExpectation', 'upgrade'])
    plane.plane.server.prependListener(event, watch);
  return { all, byPort };
}

/** Sends a visit. Resolves with everything that came back, when the connection has ended. */
function send(
  port: number,
  { requests, piece, goesAfter }: HostileVisit,
): Promise<{ from: number; text: string }> {
  const bytes = requests.map((one) => one.bytes).join('');
  const end = goesAfter ?? bytes.length;
  return new Promise((resolve, reject) => {
    let text = '';
    let from = 0;
    const socket: Socket = connect(port, '127.0.0.1', () => {
      from = socket.localPort ?? 0;
      push(0);
    });
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `no end after ${JSON.stringify(text.slice(0, 300))} for ${JSON.stringify(bytes.slice(0, 900))}`,
        ),
      );
    }, lateMs);
    const push = (at: number) => {
      if (socket.destroyed) return;
      if (at < end) {
        socket.write(bytes.slice(at, Math.min(end, at + piece)), 'latin1');
        setImmediate(() => push(at + piece));
      } else if (goesAfter !== null) socket.destroy();
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(late);
      resolve({ from, text });
    });
  });
}

/** The final answers of a connection, in their order. */
function readAnswers(text: string, taken: readonly Taken[]): StrictMessage[] {
  const answers: StrictMessage[] = [];
  const hasBody = (line: string) => {
    const status = Number(line.split(' ')[1]);
    const isEmpty = status < 200 || status === 204 || status === 304;
    return !isEmpty && taken[answers.length]?.method !== 'HEAD';
  };
  const reader = readStrictly('answers', hasBody);
  reader.take(text);
  for (let one = reader.next(); one !== null; one = reader.next()) {
    const status = Number(one.line.split(' ')[1]);
    if (status === 101) break;
    if (status >= 200) answers.push(one);
  }
  return answers;
}

function byMark<T extends { mark: string }>(all: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(one.mark, [...(found.get(one.mark) ?? []), one]);
  return found;
}

const markIn = ({ headers }: StrictMessage) => headers.find(([name]) => name === 'x-mark')?.[1];
const repeated = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Everything that arrived is a request that the plane read, with its own body, and not more often. */
function checkArrived(arrived: readonly Recorded[], taken: readonly Taken[]): void {
  const readByMark = byMark(taken);
  for (const [mark, requests] of byMark(arrived)) {
    // A spoiled address may hold the mark of another request.
    const read = readByMark.get(mark) ?? [];
    const most = read.reduce(
      (sum, { method, body }) => sum + (repeated.has(method) && body === '' ? 2 : 1),
      0,
    );
    expect(requests.length, `${mark} arrived so often`).toBeLessThanOrEqual(most);
    for (const { method, body, headers } of requests) {
      const own = read.filter((one) => one.method === method && one.body === body && one.req.complete);
      expect(own.length, `${method} ${mark} ${JSON.stringify(body)} was read`).toBeGreaterThan(0);
      checkHeaders(headers);
    }
  }
}

function checkHeaders(headers: Recorded['headers']): void {
  const names = headers.map(([name]) => name.replaceAll('_', '-'));
  for (const name of ['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'])
    expect(
      names.filter((one) => one === name),
      name,
    ).toHaveLength(1);
  for (const name of [
    'x-homeport-front',
    'expect',
    'trailer',
    'http2-settings',
    'keep-alive',
    'proxy-connection',
  ])
    expect(names).not.toContain(name);
  expect(names.filter((one) => one === 'content-length' || one === 'transfer-encoding').length).toBeLessThan(
    2,
  );
  expect(headers.find(([name]) => name === 'x-forwarded-for')?.[1]).toBe('127.0.0.1');
}

type Outcome = { answered: number; refused: number; left: number; spoiledButServed: number };

async function visitAll(plane: TestPlane, upstream: RecordingUpstream, seed: number): Promise<Outcome> {
  const outcome: Outcome = { answered: 0, refused: 0, left: 0, spoiledButServed: 0 };
  const taken = watchRequests(plane);
  const nextVisit = createHostileVisits(seed, host);
  let left = visits;
  const visitInTurn = async () => {
    while (left > 0) {
      left -= 1;
      const visit = nextVisit();
      const { from, text } = await send(plane.port, visit);
      countOutcome(visit, taken.byPort.get(from) ?? [], text, outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visitInTurn));
  expect(plane.failures).toEqual([]);
  expect(upstream.violations).toEqual([]);
  checkArrived(upstream.arrived, taken.all);
  return outcome;
}

function countOutcome(visit: HostileVisit, read: readonly Taken[], text: string, outcome: Outcome): void {
  const answers = readAnswers(text, read);
  for (const [index, answer] of answers.entries()) {
    const mark = markIn(answer);
    if (mark === undefined) {
      outcome.refused += 1;
      continue;
    }
    expect(mark, text).toBe(read[index]?.mark);
    if (answer.body !== '') expect(answer.body.replace('in ', ''), text).toBe(`answer to ${mark}`);
    outcome.answered += 1;
    if (!visit.requests.every((one) => one.isPlain)) outcome.spoiledButServed += 1;
  }
  if (visit.goesAfter !== null) outcome.left += 1;
  else if (visit.requests.every((one) => one.isPlain)) {
    // Node ends the connection behind the answer to a request that waits for leave to send its body, and says so, when the answer comes
    // before that leave was given.
    const isClosed = answers
      .at(-1)
      ?.headers.some(([name, value]) => name === 'connection' && value === 'close');
    expect(isClosed, text).toBe(true);
    const marks = visit.requests.map(({ mark }) => mark).slice(0, answers.length);
    expect(answers.map(markIn), `${text} for ${JSON.stringify(visit.requests)}`).toEqual(marks);
  }
}

describe('of thousands of hostile requests, exactly those arrive that the plane reads, and nobody gets another’s answer', () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  it.each([
    ['that reads strictly', startRawRecorder, 7, planeLimits.turnMs],
    ['of Node', startNodeRecorder, 11, planeLimits.turnMs],
    ['of Node, when each piece of a body waits for a later turn', startNodeRecorder, 13, 0],
  ])(
    'at a website %s',
    async (_what, start, seed, turnMs) => {
      const upstream = await start();
      opened.push(upstream);
      // A spoiled request may leave the plane waiting for more.
      const plane = await startPlane({
        upstreamConnections: 4,
        requestStallMs: 1_000,
        headMs: 1_000,
        keepAliveMs: 500,
        turnMs,
      });
      opened.push(plane);
      plane.put(host, upstream.origin);
      const outcome = await visitAll(plane, upstream, seed);
      expect(outcome.answered).toBeGreaterThan(visits / 2);
      expect(outcome.refused).toBeGreaterThan(visits / 20);
      expect(outcome.left).toBeGreaterThan(visits / 10);
      expect(outcome.spoiledButServed).toBeGreaterThan(visits / 20);
      expect(upstream.connections).toBeLessThan(upstream.arrived.length);
    },
    60_000,
  );
});
