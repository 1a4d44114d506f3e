import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { freePorts } from '../fixtures/console.ts';
import { type Browser, type HandsOnTab, viewport } from './browser.ts';
import { endProcess } from './end-process.ts';
import { findProgram } from './programs.ts';

const startMs = 120_000;

/**
 * The browser's language is then `C`, which is no language to `Intl`. Servers and containers often run so, and the page has to
 * work there.
 */
const language = 'C.UTF-8';

/**
 * Starts WebKitGTK's browser on a display of its own, driven over WebDriver (https://www.w3.org/TR/webdriver2/): its driver takes
 * no WebDriver BiDi. Null when WebKit or the display is not installed.
 */
export async function startWebKit(): Promise<Browser<HandsOnTab> | null> {
  const [driver, display] = [findProgram('WebKitWebDriver'), findProgram('Xvfb')];
  if (driver === undefined || display === undefined) return null;
  const home = await mkdtemp(join(tmpdir(), 'homeport-webkit-'));
  const children: ChildProcess[] = [];
  const sessions: string[] = [];
  const close = async () => {
    for (const session of sessions) await send('DELETE', session).catch(() => {});
    for (const child of children.toReversed()) await endProcess(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const screen = spawn(
      display,
      ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', `${viewport.width}x1200x24`],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    );
    children.push(screen);
    const [port = 0] = await freePorts(1);
    const address = `http://127.0.0.1:${port}`;
    const program = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: home,
        DISPLAY: `:${await firstLine(screen)}`,
        LANG: language,
        // Without a session bus there is nobody to read the page aloud, and asking for one delays the start.
        NO_AT_BRIDGE: '1',
      },
    });
    children.push(program);
    await untilReady(address, program);
    return {
      name: 'WebKit',
      // The protocol sets a cookie only for the page that is open.
      setCookies: () => Promise.reject(new Error('WebKit takes no cookies before its first page.')),
      async newTab() {
        const { sessionId } = sessionSchema.parse(
          await send('POST', `${address}/session`, { capabilities: {} }),
        );
        const session = `${address}/session/${sessionId}`;
        sessions.push(session);
        return openTab(session);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const sessionSchema = z.object({ sessionId: z.string() });
const answerSchema = z.object({ value: z.unknown() });
const failureSchema = z.object({ value: z.object({ error: z.string(), message: z.string() }) });

async function openTab(session: string): Promise<HandsOnTab> {
  const evaluate = (expression: string) =>
    send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] });
  const around = z.number().parse(await evaluate('outerHeight - innerHeight'));
  await send('POST', `${session}/window/rect`, {
    ...{ x: 0, y: 0 },
    width: viewport.width,
    height: viewport.height + around,
  });
  return {
    // A script starts the load, because the protocol's own command waits for the end of it.
    async goto(url) {
      await evaluate(`void location.assign(${JSON.stringify(url)})`);
    },
    evaluate,
    async perform(actions) {
      await send('POST', `${session}/actions`, { actions });
    },
    errors: () => null,
  };
}

/** Sends a command to the driver. Returns its value. Throws with the driver's own message. */
async function send(method: 'POST' | 'DELETE', url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(startMs),
  });
  const read: unknown = await answer.json();
  if (answer.ok) return answerSchema.parse(read).value;
  const { error, message } = failureSchema.parse(read).value;
  throw new Error(`The browser: ${error}: ${message}`);
}

/** The display's number, which Xvfb writes when it is ready (Xserver(1), -displayfd). */
async function firstLine({ stdio: [, , , pipe] }: ChildProcess): Promise<string> {
  if (!(pipe instanceof Readable)) throw new Error('The display has no pipe.');
  let read = '';
  for await (const chunk of pipe) {
    read += String(chunk);
    if (read.includes('\n')) return read.trim();
  }
  throw new Error('The display did not start.');
}

async function untilReady(address: string, program: ChildProcess): Promise<void> {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline && program.exitCode === null) {
    const answer = await fetch(`${address}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(20);
  }
  throw new Error('WebKit’s driver did not start.');
}
