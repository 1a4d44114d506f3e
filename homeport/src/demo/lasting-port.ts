import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that a system gives to programs which connect somewhere (from 32,768 on Linux, from 49,152 elsewhere, RFC 6335): one of
 * those may be in use at any later start. And beside those on which databases of the sandbox are exposed.
 */
export const lastingPorts = { first: 15_000, last: 19_999 };
const tries = 100;

/** A port of 127.0.0.1 that is free now, and that nothing takes by chance between two starts. */
export async function chooseLastingPort(): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    const port = randomInt(lastingPorts.first, lastingPorts.last + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${tries} ports from ${lastingPorts.first} to ${lastingPorts.last} was free.`);
}

/** Whether a program could listen on the port of 127.0.0.1 now. */
function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
