import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Browser, Cookie } from './browser.ts';

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
const startMs = 60_000;

/** Starts Firefox, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Null when Firefox is not installed. */
export async function startFirefox(): Promise<Browser | null> {
  if (program === undefined) return null;
  const profile = await mkdtemp(join(tmpdir(), 'homeport-firefox-'));
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile, MOZ_DISABLE_AUTO_SAFE_MODE: '1' },
    },
  );
  const stop = async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await Promise.race([ended, pause(10_000)]);
      child.kill('SIGKILL');
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const command = await openSession(await addressOf(child));
    return {
      name: 'Firefox',
      async setCookies(cookies: readonly Cookie[]) {
        for (const { name, value, url } of cookies)
          await command('storage.setCookie', {
            cookie: { name, value: { type: 'string', value }, domain: new URL(url).hostname, path: '/' },
          });
      },
      async newTab() {
        const { context } = contextSchema.parse(await command('browsingContext.create', { type: 'tab' }));
        return {
          goto: (url) => command('browsingContext.navigate', { context, url, wait: 'none' }).then(() => {}),
          async evaluate(expression) {
            const { result } = evaluatedSchema.parse(
              await command('script.evaluate', { expression, target: { context }, awaitPromise: true }),
            );
            return result.value;
          },
        };
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const contextSchema = z.object({ context: z.string() });
const evaluatedSchema = z.object({
  type: z.literal('success'),
  result: z.object({ value: z.union([z.number(), z.string(), z.boolean()]).optional() }),
});
const answerSchema = z.object({
  id: z.number().optional(),
  type: z.string(),
  result: z.unknown().optional(),
  message: z.string().optional(),
});

/** Firefox prints its address on standard error. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Firefox has no standard error.');
  const lines = createInterface({ input: child.stderr });
  const timer = setTimeout(() => lines.close(), startMs);
  for await (const line of lines) {
    const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line) ?? [];
    if (!address) continue;
    clearTimeout(timer);
    child.stderr.resume();
    return address;
  }
  throw new Error('Firefox did not say where it listens.');
}

type Command = (method: string, params: object) => Promise<unknown>;

async function openSession(address: string): Promise<Command> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.on('message', (data) => {
    const { id, type, result, message } = answerSchema.parse(JSON.parse(String(data)));
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !asked) return;
    waiting.delete(id);
    if (type === 'success') asked.resolve(result);
    else asked.reject(new Error(`Firefox: ${message}`));
  });
  let last = 0;
  const command: Command = (method, params) => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  await command('session.new', { capabilities: {} });
  return command;
}
