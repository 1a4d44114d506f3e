import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Call, Exit } from './call.ts';
import { readText } from './files.ts';
import { isAlive, startTicksOf } from './processes.ts';

/**
 * Takes the deploy lock or refuses, and never waits. Returns the function that releases the lock. As in the real Dokku, a lock of
 * `apps:lock` (pid 0) stops nothing and is gone after the deploy.
 */
export function takeLock(call: Call, app: string, holder = process.pid): () => void {
  const path = call.state.paths.lock(app);
  const [pid = '0', ticks = ''] = (readText(path) ?? '0').trim().split(' ');
  if (Number(pid) > 0 && isAlive(Number(pid), ticks === '' ? null : ticks)) {
    const text = ` !     ${app} currently has a deploy lock in place. Exiting...\n !     Run 'apps:unlock' to release the existing deploy lock`;
    call.err(text);
    throw new Exit(1, `${text}\n`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${holder} ${startTicksOf(holder) ?? ''}`);
  return () => call.state.unlock(app);
}
