import type { Call } from '../../machine/call.ts';

const owners: Record<string, string> = { herokuish: '32767', heroku: '1000', paketo: '2000', root: '0' };

export const folderOf = (name: string) => `/var/lib/dokku/data/storage/${name}`;

/** The id of an owner. Null when the folder keeps its owner. */
export function ownerId(call: Call, owner = 'herokuish'): string | null {
  if (owner === 'false') return null;
  return owners[owner] ?? call.fail('Unsupported chown permissions');
}
