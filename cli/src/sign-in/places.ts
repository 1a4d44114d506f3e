import { isAbsolute, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Where this program keeps what it knows of a console. */
export interface Places {
  folder: string;
  /** The console's address. No secret. */
  config: string;
  /** The tokens. */
  credentials: string;
}

/** XDG Base Directory specification: a relative path is ignored. */
export function placesOf({ env, home }: Pick<Terminal, 'env' | 'home'>): Places {
  const named = env.XDG_CONFIG_HOME ?? '';
  const folder = join(isAbsolute(named) ? named : join(home, '.config'), 'homeport');
  return { folder, config: join(folder, 'config.json'), credentials: join(folder, 'credentials.json') };
}
