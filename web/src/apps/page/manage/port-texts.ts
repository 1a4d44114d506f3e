import type { AppPorts, PortMapping } from '@homeport/contract/apps/settings-schema';

/** "http on port 80, which leads to port 5000 of the app" */
export const portText = ({ scheme, hostPort, containerPort }: PortMapping): string =>
  `${scheme} on port ${hostPort}, which leads to port ${containerPort} of the app`;

/** "port 80", "ports 80 and 443" */
export function portsInWords(ports: readonly number[]): string {
  const [last, ...others] = [...ports].reverse();
  if (last === undefined) return 'no port';
  return others.length === 0 ? `port ${last}` : `ports ${others.reverse().join(', ')} and ${last}`;
}

/**
 * Whether the app is served where browsers ask first. `mappings` as Dokku writes them: `http:80:5000`. `webPort`: where the demo's
 * sandbox answers in place of port 80.
 */
export const isOnWebPort = (mappings: readonly string[], webPort: number | null): boolean =>
  mappings.some(
    (mapping) =>
      mapping.startsWith('http:80:') || (webPort !== null && mapping.startsWith(`http:${webPort}:`)),
  );

/** What visitors of the address that the app leaves would see. */
export function leftPortSentences({ taken, complete }: Pick<AppPorts, 'taken' | 'complete'>): string[] {
  const found = taken.map(
    ({ port, by }) =>
      `The app ${by} is the first on port ${port}: the old address with :${port} shows ${by} from then on.`,
  );
  if (complete) return found;
  return [
    ...found,
    'The server has more apps than Homeport asked. The old address may show one of the others from then on.',
  ];
}
