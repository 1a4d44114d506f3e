import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Bidi, openBidi } from './bidi.ts';
import { type Browser, type HandsOnTab, viewport } from './browser.ts';
import { endProcess } from './end-process.ts';
import { findProgram } from './programs.ts';

const startMs = 120_000;

/** Starts Firefox without a window, driven over WebDriver BiDi. Null when Firefox is not installed. */
export async function startFirefox(): Promise<Browser<HandsOnTab> | null> {
  const program = findProgram('firefox-esr', 'firefox');
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
  const close = async () => {
    await endProcess(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const errors = new Map<string, string[]>();
    const bidi = await openBidi(await addressOf(child), (method, params) => {
      const { level, text, source } = logEntrySchema.parse(params);
      if (method === 'log.entryAdded' && level === 'error')
        errors.get(source.context ?? '')?.push(text ?? 'an error without a text');
    });
    await bidi.command('session.subscribe', { events: ['log.entryAdded'] });
    return {
      name: 'Firefox',
      async setCookies(cookies) {
        for (const { name, value, url } of cookies)
          await bidi.command('storage.setCookie', {
            cookie: { name, value: { type: 'string', value }, domain: new URL(url).hostname, path: '/' },
          });
      },
      newTab: () => openTab(bidi, errors),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const contextSchema = z.object({ context: z.string() });
const evaluatedSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('success'),
    result: z.object({ value: z.union([z.number(), z.string(), z.boolean()]).optional() }),
  }),
  z.object({ type: z.literal('exception'), exceptionDetails: z.object({ text: z.string() }) }),
]);
const logEntrySchema = z.object({
  level: z.string(),
  text: z.string().nullable(),
  source: z.object({ context: z.string().optional() }),
});

async function openTab({ command }: Bidi, errors: Map<string, string[]>): Promise<HandsOnTab> {
  const { context } = contextSchema.parse(await command('browsingContext.create', { type: 'tab' }));
  const seen: string[] = [];
  errors.set(context, seen);
  await command('browsingContext.setViewport', { context, viewport });
  return {
    async goto(url) {
      await command('browsingContext.navigate', { context, url, wait: 'none' });
    },
    async evaluate(expression) {
      const answer = evaluatedSchema.parse(
        await command('script.evaluate', { expression, target: { context }, awaitPromise: true }),
      );
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
      return answer.result.value;
    },
    async perform(actions) {
      await command('input.performActions', { context, actions });
    },
    errors: () => seen,
  };
}

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
