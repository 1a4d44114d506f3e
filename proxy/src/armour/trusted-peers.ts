import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, networks } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { visitorNetwork } from '@homeport/contract/network/visitor-network';
import { frontSecretName } from './hop-names.ts';

/** Who a visitor is, after what trusted peers say. */
export type Visitor = {
  address: string;
  proto: 'http' | 'https';
  /** X-Forwarded-For for the upstream. */
  forwardedFor: string;
  isTrustedPeer: boolean;
  /** By what the visitor's share is counted. Null for a front that does not say for whom it asks. */
  network: string | null;
};

/** `proven` is the secret that this connection has shown. */
type Peer = { address: string; isFront: boolean; network: string; proven: Buffer | null };
const addressesAtMost = 20_000;

export type TrustedPeers = {
  /** Addresses and networks of fronts that may say for whom they ask. */
  networks: readonly string[];
  /** Networks of a CDN in front of the front: only these are believed in CF-Connecting-IP. */
  cdnNetworks: readonly string[];
  /** SHA-256 of the text by which a front shows in a header that it is one, in hex; null: no text does. */
  secretHash: string | null;
};

/** Reads who asks. Only a trusted peer may say that it asks for somebody else. */
export function createVisitorReader(trusted: TrustedPeers): (req: IncomingMessage) => Visitor {
  const fronts = networks(trusted.networks.map(asNetwork));
  const cdn = networks(trusted.cdnNetworks.map(asNetwork));
  const isFront = (address: string) => fronts.contain(address);
  const secretHash = trusted.secretHash === null ? null : Buffer.from(trusted.secretHash, 'hex');
  const peers = new WeakMap<Socket, Peer>();
  const addresses = new Map<string, Omit<Peer, 'proven'>>();
  /** Reading an address costs more than all other work on a small request's head, and a front has one address for all of its visitors. */
  const read = (told: string): Omit<Peer, 'proven'> => {
    const known = addresses.get(told);
    if (known !== undefined) return known;
    const address = plainAddress(told);
    const found = { address, isFront: isFront(address), network: visitorNetwork(address) };
    if (addresses.size >= addressesAtMost) addresses.clear();
    addresses.set(told, found);
    return found;
  };
  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    // A unix socket has no address. Its other end is on this machine.
    const peer: Peer = { ...read(socket.remoteAddress ?? '127.0.0.1'), proven: null };
    peers.set(socket, peer);
    return peer;
  };
  return (req) => {
    const known = peerOf(req.socket);
    const { address: peer } = known;
    if (!known.isFront && !showsSecret(req, known, secretHash))
      return {
        address: peer,
        proto: 'http',
        forwardedFor: peer,
        isTrustedPeer: false,
        network: known.network,
      };
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
      network: address === peer || isFront(address) ? null : visitorNetwork(address),
    };
  };
}

function showsSecret(req: IncomingMessage, peer: Peer, secretHash: Buffer | null): boolean {
  const shown = req.headers[frontSecretName];
  if (secretHash === null || typeof shown !== 'string') return false;
  const told = Buffer.from(shown, 'latin1');
  // Hashing costs more than comparing, and a front shows its secret with every request.
  if (peer.proven?.length === told.length && timingSafeEqual(peer.proven, told)) return true;
  const isRight = timingSafeEqual(createHash('sha256').update(told).digest(), secretHash);
  if (isRight) peer.proven = told;
  return isRight;
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

/** An address alone is a network of one. */
export function asNetwork(text: string): string {
  if (text.includes('/')) return text;
  return text.includes(':') ? `${text}/128` : `${text}/32`;
}
