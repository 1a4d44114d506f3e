import { request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { controlToken } from '@homeport/proxy';
import type { ServiceSettings } from './service-settings.ts';

type Address = { host: string; port: number };

const answerWithinMs = 2_000;
/** A service of several processes closes its port when the last of them has. */
const freeWithinMs = 5_000;
const lookEveryMs = 10;

/**
 * Asks a service that a killed console left behind to give its ports up, and waits until they are free. Does nothing where no such
 * service answers.
 */
export async function takeOver({ host, port, control, secret }: ServiceSettings): Promise<void> {
  if (!(await release(control, secret))) return;
  const deadline = performance.now() + freeWithinMs;
  for (const address of [{ host, port }, control])
    while (!(await isFree(address)) && performance.now() < deadline) await pause(lookEveryMs);
}

/** False where nothing listens, or another program does. Then listening says so. */
function release({ host, port }: Address, secret: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${controlToken(secret)}` };
    // `fetch` would load a client of its own into a process that has one.
    const asking = request(
      { host, port, headers, path: '/system/release', method: 'POST', agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    asking.setTimeout(answerWithinMs, () => asking.destroy());
    asking.once('error', () => resolve(false));
    asking.once('close', () => resolve(false));
    asking.end();
  });
}

function isFree({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
