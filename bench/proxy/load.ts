import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cores } from './pinned.ts';

const run = promisify(execFile);

export type Load = { port: number; host: string; path: string };
export type Outcome = { requests: number; failed: number; perSecond: number };

const connections = 64;

/** Sends requests over 64 connections as fast as the answers come (h2load of nghttp2, HTTP/1.1). */
export async function sendAll({ port, host, path }: Load, requests: number): Promise<Outcome> {
  const text = await h2load(['-n', String(requests), '-c', String(connections)], { port, host, path });
  return readOutcome(text, requests);
}

/** Sends so many requests each second, and gives the 99th percentile of the answers' times in milliseconds. */
export async function percentileAt(
  { port, host, path }: Load,
  { perSecond, seconds, folder }: { perSecond: number; seconds: number; folder: string },
): Promise<{ p99: number; failed: number }> {
  const clients = 50;
  const log = join(folder, 'times.log');
  await rm(log, { force: true });
  const rate = [
    '-c',
    String(clients),
    '--rps',
    String(perSecond / clients),
    '-n',
    String(perSecond * seconds),
  ];
  const text = await h2load([...rate, `--log-file=${log}`], { port, host, path });
  // Each line: when the request began, its status, and how long it took, in microseconds.
  const times = (await readFile(log, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.split('\t')[2]) / 1_000)
    .sort((a, b) => a - b);
  return {
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    failed: readOutcome(text, times.length).failed,
  };
}

async function h2load(args: readonly string[], { port, host, path }: Load): Promise<string> {
  const to = ['--h1', `--connect-to=127.0.0.1:${port}`, `http://${host}${path}`];
  const { stdout } = await run('taskset', ['-c', String(cores.others), 'h2load', ...args, ...to], {
    timeout: 120_000,
    maxBuffer: 4_000_000,
  });
  return stdout;
}

function readOutcome(text: string, requests: number): Outcome {
  const succeeded = Number(/status codes: ([0-9]+) 2xx/.exec(text)?.[1] ?? 0);
  const perSecond = Number(/, ([0-9.]+) req\/s/.exec(text)?.[1] ?? 0);
  return { requests, failed: requests - succeeded, perSecond };
}
