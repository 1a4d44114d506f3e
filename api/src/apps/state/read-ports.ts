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

/** The port of the app that its first mapping leads to. Buildpacks listen on 5000. */
const standardContainerPort = 5000;

/**
 * The mappings that serve an app on port 80, and on 443 with a certificate. `keep`: also those of its other
 * ports.
 */
export function webPorts(
  now: readonly ports.PortMapping[],
  { https, keep }: { https: boolean; keep: boolean },
): ports.PortMapping[] {
  const first = now.find(({ scheme }) => scheme === 'http') ?? now[0];
  const containerPort = first?.containerPort ?? standardContainerPort;
  const web: ports.PortMapping[] = [
    { scheme: 'http', hostPort: 80, containerPort },
    ...(https ? [{ scheme: 'https', hostPort: 443, containerPort } as const] : []),
  ];
  const others = now.filter(({ hostPort }) => hostPort !== 80 && hostPort !== 443);
  return keep ? [...web, ...others] : web;
}

export const samePorts = (one: readonly ports.PortMapping[], other: readonly ports.PortMapping[]) =>
  portsText(sorted(one)) === portsText(sorted(other));

const sorted = (mappings: readonly ports.PortMapping[]) =>
  mappings.toSorted((a, b) => a.hostPort - b.hostPort || (a.scheme < b.scheme ? -1 : 1));
