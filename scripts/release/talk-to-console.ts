import { spawn } from 'node:child_process';
import { freePort } from '@homeport/contract/testing';
import { expect } from 'vitest';

type Started = {
  account?: { uid: number; gid: number };
  env?: NodeJS.ProcessEnv;
  /** What else the console has to answer. */
  asking?: (port: number) => Promise<void>;
};

/** Starts a console, waits until it can serve, signs its owner up, and ends it. Throws unless the console ends well. */
export async function answers(
  homeport: string,
  data: string,
  { account, env = process.env, asking = async () => {} }: Started = {},
): Promise<void> {
  const port = await freePort();
  const program = spawn(homeport, ['--data', data, '--port', String(port)], {
    ...{ ...account, cwd: '/', env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = new Promise((resolve) => program.once('close', (code, signal) => resolve(signal ?? code)));
  try {
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => printed,
      );
    await expect.poll(ready, { timeout: 180_000, interval: 100 }).toBe(200);
    // The password is hashed by a package of its own, and the answer needs the store.
    expect((await signUp(port)).status).toBe(200);
    await asking(port);
  } finally {
    program.kill('SIGTERM');
    expect(await ended, printed).toBe(0);
  }
}

function signUp(port: number): Promise<Response> {
  const origin = `http://127.0.0.1:${port}`;
  return fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'three quiet harbours' }),
  });
}
