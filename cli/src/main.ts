#!/usr/bin/env node
import { arch, homedir, hostname, type as systemName } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes } from './exit-codes.ts';
import { runCommand } from './run-command.ts';

const interrupt = new AbortController();
process.once('SIGINT', () => {
  interrupt.abort();
  // A second one ends what does not listen.
  process.once('SIGINT', () => process.exit(exitCodes.interrupted));
});
// The reader is gone, as with `| head`.
const readerGone = new AbortController();
process.stdout.on('error', () => readerGone.abort());
process.stderr.on('error', () => process.exit(exitCodes.failed));

const writer = (stream: NodeJS.WriteStream) => (text: string) =>
  new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });

const code = await runCommand(process.argv.slice(2), {
  env: process.env,
  machine: { name: hostname(), platform: `${systemName()} ${arch()}` },
  home: homedir(),
  stdin: process.stdin,
  out: writer(process.stdout),
  err: writer(process.stderr),
  isRead: process.stdout.isTTY === true,
  canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  readerGone: readerGone.signal,
  interrupted: interrupt.signal,
  now: Date.now,
  wait: (ms) => wait(ms),
});
// Everything is written, and an idle connection must not hold the shell.
process.exit(code);
