import { appName, ports } from '@homeport/dokku';
import type { Run } from './read-state.ts';

export type AppPorts = {
  /** The mappings that somebody or a plugin set. */
  set: ports.PortMapping[];
  /** Those that nginx serves: the ones that were set or, without any, the ones that Dokku found. */
  inForce: ports.PortMapping[];
};

/** Reads an app’s port mappings with two cheap commands, the second only where none were set. */
export async function readPorts(run: Run, longname: string): Promise<AppPorts> {
  const app = appName(longname);
  const set = ports.readList(await run(ports.list(app), { accept: ports.hasNone, quiet: true }));
  if (set.length > 0) return { set, inForce: set };
  const found = await run(ports.detected(app), { accept: 'any', quiet: true });
  return { set, inForce: found.exitCode === 0 ? ports.readDetected(found) : [] };
}

/** `http:80:5000 and https:443:5000` */
export function portsText(mappings: readonly ports.PortMapping[]): string {
  return mappings.length === 0 ? 'none' : mappings.map(ports.textOf).join(' and ');
}
