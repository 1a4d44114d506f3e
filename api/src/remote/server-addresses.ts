import { addressKindOf } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import { nameLookups } from '@homeport/contract/servers/facts';
import { RefusedDestination } from '@homeport/egress';
import type { Owner } from '@homeport/store';
import { createLookupTurns } from './lookup-turns.ts';
import { isAbsence } from './resolve-by-dns.ts';
import type { TargetPolicy } from './target-policy.ts';

export type Looked =
  | { kind: 'found'; addresses: readonly string[] }
  /** The name has no address that the console connects to: no such name, or one that leads into the operator's own network. */
  | { kind: 'none' }
  /** DNS did not answer, or not in whole. That says nothing about the name, so nothing may be concluded from it. */
  | { kind: 'unknown' };

type Place = { ip: string; port: number };

/** What the addresses of servers are now. The address of a server that is known by one is the one answer, and nobody is asked. */
export type ServerAddresses = {
  of(owner: Owner, server: Place): Promise<Looked>;
  /** Of each server, in their order. Names that are not looked up within `nameLookups.waitMs` are `unknown`. */
  ofEach(owner: Owner, servers: readonly Place[]): Promise<readonly Looked[]>;
};

type Log = { info(fields: object, message: string): void };

/** Looks names up through the gate, so that an address that may not be connected to is also written nowhere. */
export function createServerAddresses(targets: Pick<TargetPolicy, 'addressesOf'>, log: Log): ServerAddresses {
  const turns = createLookupTurns();
  const running = new Map<string, Promise<Looked>>();

  async function look({ ip, port }: Place): Promise<Looked> {
    try {
      const found = await targets.addressesOf(ip, port);
      return { kind: 'found', addresses: found.flatMap(({ address }) => canonicalAddress(address) ?? []) };
    } catch (error) {
      if (!(error instanceof RefusedDestination)) return { kind: isAbsence(error) ? 'none' : 'unknown' };
      const { kind, text } = error.refusal;
      log.info({ name: ip, port, address: text, refusal: kind }, 'a name leads to a refused address');
      return { kind: 'none' };
    }
  }

  async function inTurn(owner: Owner, server: Place): Promise<Looked> {
    const end = await turns.take(owner);
    return end === null ? { kind: 'unknown' } : look(server).finally(end);
  }

  /** One question at a time for one name of one person: several parts of a page ask for the same one. */
  function of(owner: Owner, server: Place): Promise<Looked> {
    const { ip, port } = server;
    if (addressKindOf(ip) !== 'name') return Promise.resolve({ kind: 'found', addresses: [ip] });
    const key = JSON.stringify([owner, ip, port]);
    const asked = running.get(key);
    if (asked) return asked;
    const looked = inTurn(owner, server).finally(() => running.delete(key));
    running.set(key, looked);
    return looked;
  }

  return {
    of,
    async ofEach(owner, servers) {
      const until = performance.now() + nameLookups.waitMs;
      const found = servers.map((): Looked => ({ kind: 'unknown' }));
      const waiting = servers.entries();
      const work = async () => {
        for (const [at, server] of waiting)
          if (addressKindOf(server.ip) !== 'name' || performance.now() < until)
            found[at] = await of(owner, server);
      };
      await Promise.all(Array.from({ length: nameLookups.together }, work));
      return found;
    },
  };
}

/** For a name without an address, whatever the reason: people are not told what the operator's own DNS knows. */
export const sayNoAddress = (name: string) => `${name} has no address in DNS that this console connects to.`;

export const sayNotLookedUp = (name: string) =>
  `${name} could not be looked up in DNS now. Try again in a moment.`;

/** Whether a domain leads to the server and to no other machine. Null: nobody can tell now. */
export async function leadsTo(
  addresses: ServerAddresses,
  owner: Owner,
  domain: string,
  server: Place,
): Promise<boolean | null> {
  const [there, own] = await addresses.ofEach(owner, [{ ip: domain, port: server.port }, server]);
  if (there?.kind === 'none') return false;
  if (there?.kind !== 'found' || own?.kind !== 'found') return null;
  return there.addresses.every((address) => own.addresses.includes(address));
}
