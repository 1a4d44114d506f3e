import { createHash } from 'node:crypto';
import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '@homeport/signer/bytes';
import type { Places } from '../sign-in/places.ts';
import { dropOldest } from './drop-oldest.ts';

/** As many as a browser keeps. A server gives up a login after two minutes, so an older session is over. */
const mostSessions = 2_000;
/**
 * Notes a session before it is signed. False where a command on this machine signed it before: of two commands at once, one makes the file.
 */
export async function claimSession({ signed: folder }: Places, sessionId: Bytes): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const name = createHash('sha256').update(sessionId).digest('hex');
  try {
    await (await open(join(folder, name), 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await dropOldest(folder, mostSessions);
  return true;
}
