/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate folder for key files. Call `remove` after the tests. */
export function keyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-keys-'));
  const at = (name: string) => join(folder, name);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  return {
    run,
    at,
    read: (name: string) => readFileSync(at(name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 }),
    copy: (from: string, to: string) => copyFileSync(at(from), at(to)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
