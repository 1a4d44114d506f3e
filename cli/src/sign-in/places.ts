import { isAbsolute, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Where this program keeps what it knows of a console. */
export interface Places {
  folder: string;
  /** The console's address. No secret. */
  config: string;
  /** The tokens. */
  credentials: string;
  /** A folder with a file for each server whose host key this terminal accepted. */
  trust: string;
  /** A folder with a file for each SSH session that was signed. */
  signed: string;
}

/** XDG Base Directory specification: a relative path is ignored. */
export function placesOf({ env, home }: Pick<Terminal, 'env' | 'home'>): Places {
  const own = (named = '', usual: string) => join(isAbsolute(named) ? named : join(home, usual), 'homeport');
  const folder = own(env.XDG_CONFIG_HOME, '.config');
  const state = own(env.XDG_STATE_HOME, '.local/state');
  return {
    folder,
    config: join(folder, 'config.json'),
    credentials: join(folder, 'credentials.json'),
    trust: join(state, 'trust'),
    signed: join(state, 'signed'),
  };
}
