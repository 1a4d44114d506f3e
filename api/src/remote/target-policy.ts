import {
  createGate,
  everyNetwork,
  type Gate,
  type GateSettings,
  loginPorts,
  type Refusal,
  type ResolveAll,
  websitePorts,
} from '@homeport/egress';
import { resolveByDns } from './resolve-by-dns.ts';

/**
 * Decides which addresses a user may link as a server, and connects to them. A person with an account must not reach the console’s
 * own network, neither by an address nor by a name that leads there.
 */
export type TargetPolicy = Pick<Gate, 'refuses' | 'addressesOf' | 'connect'>;

/** `resolve`: by default the system’s DNS servers are asked. `isOwn`: whether an address is one of this machine. */
type Parts = { resolve?: ResolveAll; isOwn?: (address: string) => boolean };

/**
 * Allows public addresses only, unless the operator allows private ones. Of the console’s own machine only the usual port of logins
 * may be linked: people run their apps beside the console.
 */
export function createTargetPolicy(
  allowPrivate: boolean,
  consolePorts: readonly number[],
  { resolve = resolveByDns([]), isOwn }: Parts = {},
): TargetPolicy {
  return createGate(rulesOfServers(allowPrivate, consolePorts, loginPorts), resolve, isOwn);
}

/** The way to the websites of a linked server. Beside the console they answer where every visitor reaches them. */
export function createWebsiteGate(
  allowPrivate: boolean,
  consolePorts: readonly number[],
  { resolve = resolveByDns([]), isOwn }: Parts = {},
): Gate {
  return createGate(rulesOfServers(allowPrivate, consolePorts, websitePorts), resolve, isOwn);
}

/**
 * The way to what people want to be told at: webhooks and chats, on any port of a public address. The console's own name is refused, so
 * that no message comes back to the console.
 */
export function createNewsGate(
  { allowPrivateTargets, consolePorts, publicUrl }: NewsRules,
  isOwn?: (address: string) => boolean,
): Gate {
  const rules = rulesOfServers(allowPrivateTargets, consolePorts, websitePorts);
  const console = { ports: consolePorts, names: [new URL(publicUrl).hostname] };
  return createGate({ ...rules, console }, undefined, isOwn);
}

type NewsRules = { allowPrivateTargets: boolean; consolePorts: readonly number[]; publicUrl: string };

const rulesOfServers = (
  allowPrivate: boolean,
  consolePorts: readonly number[],
  openOwnPorts: readonly number[],
): GateSettings => ({
  exceptions: allowPrivate ? everyNetwork : [],
  openOwnPorts,
  console: { ports: consolePorts, names: [] },
  mixedName: 'refuse',
});

/** Why an address cannot be linked, for the person who typed it. */
export function sayTargetRefusal({ kind, port }: Refusal): string {
  switch (kind) {
    case 'never':
    case 'not_an_address':
      return 'No server has this address: it is a link-local or reserved one.';
    case 'console':
      return `The console itself answers at port ${port} of this address.`;
    case 'own_port':
      return `This is the console’s own machine, where only port ${loginPorts.join(' and ')} can be linked. Set HOMEPORT_ALLOW_PRIVATE_TARGETS to link other ports.`;
    case 'own_name':
    case 'private':
      return 'This address is not public. Set HOMEPORT_ALLOW_PRIVATE_TARGETS to link machines on private networks.';
  }
}
