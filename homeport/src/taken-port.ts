import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

/** A Homeport whose store does not answer takes two seconds to say so. */
const answerWithinMs = 3_000;

/** Checks the port before anything starts, so that a taken port costs nothing. Throws `StartError`. */
export async function refuseTakenPort(host: string, port: number, flag: string): Promise<void> {
  const error = await listenError(host, port);
  if (error === undefined) return;
  throw await explainListenError(error, host, port, flag);
}

/** Explains a failure to listen in plain words. Says so when another Homeport has the port. */
export async function explainListenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flag: string,
): Promise<StartError> {
  const at = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return (await isHomeport(host, port))
      ? new StartError(
          `Homeport is already running on http://${at}.`,
          `Open that address, or start this console on another port with ${flag} and another folder with --data.`,
        )
      : new StartError(
          `Port ${port} on ${host} is taken by another program.`,
          `Choose another port with ${flag}, or stop that program.`,
        );
  }
  if (error.code === 'EACCES') {
    return new StartError(
      `An ordinary user may not open port ${port}.`,
      `Choose a port above 1023 with ${flag}.`,
    );
  }
  return new StartError(
    `Homeport cannot listen on ${at}: ${error.message}.`,
    'Check HOMEPORT_HOST and the port.',
  );
}

function listenError(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isHomeport(host: string, port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`, {
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const health = (await answer.json()) as { product?: unknown };
    return health.product === 'homeport';
  } catch {
    // The answer, or the missing answer, is not a Homeport's.
    return false;
  }
}
