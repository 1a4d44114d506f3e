import type { PortMapping } from '../commands/ports.ts';

export type Routing = {
  readonly domains: readonly string[];
  /** False: the app's domains are switched off (`domains:disable`). */
  readonly routed: boolean;
  readonly certificate: boolean;
  readonly globalDomains: readonly string[];
  /** `ports map`, `ports map-detected` and the proxy's own ports, as Dokku keeps them; empty where not set. */
  readonly portsSet: string;
  readonly portsDetected: string;
  readonly proxyPort: string;
  readonly proxySslPort: string;
  /** False: the proxy is switched off for the app. */
  readonly proxied: boolean;
};

/** The mappings in force: those that were set or, without any, those that Dokku works out (plugins/ports, getDetectedPortMaps). */
export function portsInForce(routing: Routing): PortMapping[] {
  const set = mappingsOf(routing.portsSet);
  return set.length > 0 ? set : detectedPorts(routing);
}

function detectedPorts({ portsDetected, proxyPort, proxySslPort, certificate }: Routing): PortMapping[] {
  const found = mappingsOf(portsDetected);
  const base: PortMapping = { scheme: 'http', hostPort: portOr(80, proxyPort), containerPort: 5000 };
  const plain = found.length > 0 ? found : [base];
  if (!certificate) return plain;
  const onPort80 = plain.filter(({ scheme, hostPort }) => scheme === 'http' && hostPort === 80);
  if (onPort80.length === 0) return plain.map((mapping) => ({ ...mapping, scheme: 'https' }));
  const hostPort = portOr(443, proxySslPort);
  return [
    ...plain,
    ...onPort80.map(({ containerPort }) => ({ scheme: 'https', hostPort, containerPort }) as const),
  ];
}

const portOr = (usual: number, port: string) => (/^[1-9]\d{0,4}$/.test(port) ? Number(port) : usual);

/** More than an app has, and few enough that each may be told with each domain. */
const mappingsAtMost = 100;

function mappingsOf(words: string): PortMapping[] {
  return [...new Set(words.split(' '))].slice(0, mappingsAtMost).flatMap((word) => {
    const [, scheme, host, container] = /^(https?):(\d{1,5}):(\d{1,5})$/.exec(word) ?? [];
    if (scheme === undefined) return [];
    return [
      {
        scheme: scheme === 'https' ? 'https' : 'http',
        hostPort: Number(host),
        containerPort: Number(container),
      },
    ];
  });
}

/**
 * The addresses that `urls` prints, in its order (plugins/domains, fn-domains-generate-urls). Null where Dokku has to be asked: an
 * app without a proxy answers on its containers' ports, and one without any domain under the name of the machine.
 */
export function addressesOf(routing: Routing): string[] | null {
  const { domains, routed, globalDomains, certificate, proxied } = routing;
  const hosts = routed && domains.length > 0 ? domains : globalDomains;
  if (!proxied || hosts.length === 0) return null;
  const ports = portsInForce(routing).filter(({ scheme }) => scheme === 'http' || certificate);
  const addresses = hosts.flatMap((host) => ports.map((mapping) => addressOf(host, mapping)));
  return [...new Set(addresses)].sort();
}

function addressOf(host: string, { scheme, hostPort }: PortMapping): string {
  const usual = hostPort === 80 || (hostPort === 443 && scheme === 'https');
  // Dokku takes port 80 for http, whatever the mapping says.
  return usual ? `${hostPort === 80 ? 'http' : scheme}://${host}` : `${scheme}://${host}:${hostPort}`;
}
