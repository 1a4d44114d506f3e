import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, networks } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';

/** Who a visitor is, after what trusted peers say. */
export type Visitor = {
  address: string;
  proto: 'http' | 'https';
  /** X-Forwarded-For for the upstream. */
  forwardedFor: string;
  isTrustedPeer: boolean;
};

type Peer = { address: string; isFront: boolean };
const peersAtMost = 20_000;

export type TrustedPeers = {
  /** Addresses and networks of fronts that may say for whom they ask. */
  networks: readonly string[];
  /** Networks of a CDN in front of the front: only these are believed in CF-Connecting-IP. */
  cdnNetworks: readonly string[];
};

/** Reads who asks. Only a trusted peer may say that it asks for somebody else. */
export function createVisitorReader(trusted: TrustedPeers): (req: IncomingMessage) => Visitor {
  const fronts = networks(trusted.networks.map(asNetwork));
  const cdn = networks(trusted.cdnNetworks.map(asNetwork));
  const isFront = (address: string) => fronts.contain(address);
  const peers = new Map<string, Peer>();
  /** Reading an address costs more than all other work on a small request's head, and a front has one address for all of its visitors. */
  const peerOf = ({ remoteAddress }: Socket): Peer => {
    // A unix socket has no address. Its other end is on this machine.
    const told = remoteAddress ?? '127.0.0.1';
    const known = peers.get(told);
    if (known !== undefined) return known;
    const address = plainAddress(told);
    const peer = { address, isFront: isFront(address) };
    if (peers.size >= peersAtMost) peers.clear();
    peers.set(told, peer);
    return peer;
  };
  return (req) => {
    const { address: peer, isFront: isTrusted } = peerOf(req.socket);
    if (!isTrusted) return { address: peer, proto: 'http', forwardedFor: peer, isTrustedPeer: false };
    const told = headerList(req.headers['x-forwarded-for']);
    // From the right: each trusted address vouches for the one before.
    let address = peer;
    for (const hop of told.toReversed()) {
      const plain = canonicalAddress(hop);
      if (plain === null) break;
      address = plain;
      if (!isFront(plain)) break;
    }
    const connecting = req.headers['cf-connecting-ip'];
    if (cdn.contain(address) && typeof connecting === 'string')
      address = canonicalAddress(connecting) ?? address;
    // A front on this machine says nothing about the visitor, so its address is left out of the list.
    const list = isLoopbackAddress(peer) && told.length > 0 ? told : [...told, peer];
    return {
      address,
      proto: req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http',
      forwardedFor: list.join(', '),
      isTrustedPeer: true,
    };
  };
}

function headerList(value: string | string[] | undefined): string[] {
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text === ''
    ? []
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
}

function plainAddress(address: string): string {
  return canonicalAddress(address) ?? address;
}

function asNetwork(text: string): string {
  if (text.includes('/')) return text;
  return text.includes(':') ? `${text}/128` : `${text}/32`;
}
