import { connect, type Socket } from 'node:net';

export type Measured = { perSecond: number; p50Ms: number; p99Ms: number; sent: number };

/**
 * Sends over `connections` sockets, each request as soon as the answer to the one before arrived. `requests` holds rounds of
 * `servers` requests. An agent sends its next report after the answer to the last one, so a server keeps to one socket. Fails on
 * any answer but 200.
 */
export async function flood(
  port: number,
  requests: readonly Buffer[],
  { connections, servers }: { connections: number; servers: number },
): Promise<Measured> {
  const latencies: number[] = [];
  const lines = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const shares: Buffer[][] = lines.map(() => []);
  for (const [index, request] of requests.entries()) shares[(index % servers) % connections]?.push(request);
  const begin = performance.now();
  await Promise.all(
    lines.map(
      (line, connection) =>
        new Promise<void>((resolve, reject) => {
          let next = 0;
          const proceed = () => {
            const request = shares[connection]?.[next++];
            if (!request) return resolve();
            const sent = performance.now();
            line.ask(request, (answer) => {
              if (answer !== null) return reject(new Error(answer));
              latencies.push(performance.now() - sent);
              proceed();
            });
          };
          proceed();
        }),
    ),
  );
  const elapsedMs = performance.now() - begin;
  for (const line of lines) line.close();
  return summary(latencies, elapsedMs);
}

/**
 * Sends at a fixed rate, however slow the answers are. Exception: a server's next report waits until its previous report is
 * stored. A request's time counts from its due time.
 */
export async function pace(
  port: number,
  requests: readonly Buffer[],
  { perSecond, servers }: { perSecond: number; servers: number },
): Promise<Measured> {
  const idle: Line[] = [];
  const latencies: number[] = [];
  const begin = performance.now();
  const asked: Promise<void>[] = [];
  for (const [index, request] of requests.entries()) {
    const due = begin + (index / perSecond) * 1000;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    asked.push(
      (async () => {
        await asked[index - servers];
        const line = idle.pop() ?? (await open(port));
        await new Promise<void>((resolve, reject) =>
          line.ask(request, (answer) => (answer === null ? resolve() : reject(new Error(answer)))),
        );
        latencies.push(performance.now() - due);
        idle.push(line);
      })(),
    );
  }
  await Promise.all(asked);
  for (const line of idle) line.close();
  return summary(latencies, performance.now() - begin);
}

type Line = {
  /** `done` gets null for a 200, else the answer. */
  ask(request: Buffer, done: (refusal: string | null) => void): void;
  close(): void;
};

const closingBrace = '}'.charCodeAt(0);

/** A socket that costs as little as possible, because it shares a core with PostgreSQL: it has its own buffer and hardly reads answers. */
async function open(port: number): Promise<Line> {
  let hear: ((refusal: string | null) => void) | undefined;
  let before = '';
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.alloc(4_096),
      callback(length, buffer) {
        const ends = buffer[length - 1] === closingBrace;
        const answer =
          before + Buffer.from(buffer.buffer, 0, ends && before === '' ? 12 : length).toString('latin1');
        // Every answer has one closing brace, at its end.
        before = ends ? '' : answer;
        if (ends) hear?.(answer.startsWith('HTTP/1.1 200') ? null : answer);
        return true;
      },
    },
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('error', (error) => hear?.(error.message));
  return {
    ask(request, done) {
      hear = done;
      socket.write(request);
    },
    close: () => socket.destroy(),
  };
}

function summary(latencies: number[], elapsedMs: number): Measured {
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: (latencies.length / elapsedMs) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    sent: latencies.length,
  };
}
