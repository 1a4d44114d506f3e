import {
  createGate,
  everyNetwork,
  type Gate,
  type GateSettings,
  loginPorts,
  type Refusal,
  websitePorts,
} from '@homeport/egress';

/**
 * Decides which addresses a user may link as a server. A person with an account must not reach the console’s
 * own network.
 */
export type TargetPolicy = Pick<Gate, 'refuses'>;

/**
 * Allows public addresses only, unless the operator allows private ones. Of the console’s own machine only the usual port of logins
 * may be linked: people run their apps beside the console.
 *
 * @param isOwn whether an address is one of this machine
 */
export function createTargetPolicy(
  allowPrivate: boolean,
  consolePorts: readonly number[],
  isOwn?: (address: string) => boolean,
): TargetPolicy {
  return createGate(rulesOfServers(allowPrivate, consolePorts, loginPorts), undefined, isOwn);
}

/** The way to the websites of a linked server. Beside the console they answer where every visitor reaches them. */
export function createWebsiteGate(
  allowPrivate: boolean,
  consolePorts: readonly number[],
  isOwn?: (address: string) => boolean,
): Gate {
  return createGate(rulesOfServers(allowPrivate, consolePorts, websitePorts), undefined, isOwn);
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
