import { connect, type Socket } from 'node:net';

export type Measured = { perSecond: number; p50Ms: number; p99Ms: number; sent: number };

/**
 * Sends over `connections` sockets, each request as soon as the answer before it came. `requests` holds rounds of
 * `servers` each; a server keeps to one socket, since an agent never sends its next report before the last is answered.
 * Fails on any answer but 200.
 */
export async function flood(
  port: number,
  requests: readonly Buffer[],
  { connections, servers }: { connections: number; servers: number },
): Promise<Measured> {
  const latencies: number[] = [];
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const line = await open(port);
      for (const [index, request] of requests.entries())
        if ((index % servers) % connections === connection) latencies.push(await line.ask(request));
      line.close();
    }),
  );
  return summary(latencies, performance.now() - begin);
}

/** Sends at a fixed rate whatever the answers do; a request's time counts from when it was due. */
export async function pace(port: number, requests: readonly Buffer[], perSecond: number): Promise<Measured> {
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
        const line = idle.pop() ?? (await open(port));
        await line.ask(request);
        latencies.push(performance.now() - due);
        idle.push(line);
      })(),
    );
  }
  await Promise.all(asked);
  for (const line of idle) line.close();
  return summary(latencies, performance.now() - begin);
}

type Line = { ask(request: Buffer): Promise<number>; close(): void };

async function open(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let waiting: { resolve(ms: number): void; reject(error: Error): void; begin: number } | undefined;
  let received = '';
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (head < 0 || received.length < head + 4 + length) return;
    const answer = received;
    received = '';
    if (answer.startsWith('HTTP/1.1 200')) waiting?.resolve(performance.now() - waiting.begin);
    else waiting?.reject(new Error(answer));
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject, begin: performance.now() };
        socket.write(request);
      }),
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
