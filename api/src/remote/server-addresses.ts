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

/**
 * What the addresses of servers are now. The address of a server that is known by one is the one answer, and nobody is asked. Where
 * `signal` aborts, the answer is `unknown`, and DNS is asked no longer unless another request waits for the same name.
 */
export type ServerAddresses = {
  of(owner: Owner, server: Place, signal?: AbortSignal): Promise<Looked>;
  /** Of each server, in their order. Names that are not looked up within `nameLookups.waitMs` are `unknown`. */
  ofEach(owner: Owner, servers: readonly Place[], signal?: AbortSignal): Promise<readonly Looked[]>;
};

/** A look-up under way. `waiting`: how many requests want its answer. */
type Asked = { looked: Promise<Looked>; waiting: number; stop: () => void };

const unknown: Looked = { kind: 'unknown' };

type Log = { info(fields: object, message: string): void };

/** Looks names up through the gate, so that an address that may not be connected to is also written nowhere. */
export function createServerAddresses(targets: Pick<TargetPolicy, 'addressesOf'>, log: Log): ServerAddresses {
  const turns = createLookupTurns();
  const running = new Map<string, Asked>();

  async function look({ ip, port }: Place, signal: AbortSignal): Promise<Looked> {
    try {
      const found = await targets.addressesOf(ip, port, signal);
      return { kind: 'found', addresses: found.flatMap(({ address }) => canonicalAddress(address) ?? []) };
    } catch (error) {
      if (!(error instanceof RefusedDestination)) return { kind: isAbsence(error) ? 'none' : 'unknown' };
      const { kind, text } = error.refusal;
      log.info({ name: ip, port, address: text, refusal: kind }, 'a name leads to a refused address');
      return { kind: 'none' };
    }
  }

  async function inTurn(owner: Owner, server: Place, signal: AbortSignal): Promise<Looked> {
    const end = await turns.take(owner, signal);
    if (end === null) return unknown;
    return (signal.aborted ? Promise.resolve(unknown) : look(server, signal)).finally(end);
  }

  /** One question at a time for one name of one person: several parts of a page ask for the same one. */
  function ask(owner: Owner, server: Place): Asked {
    const key = JSON.stringify([owner, server.ip, server.port]);
    const present = running.get(key);
    if (present) return present;
    const ending = new AbortController();
    const forget = () => {
      if (running.get(key) === asked) running.delete(key);
    };
    const asked: Asked = {
      looked: inTurn(owner, server, ending.signal).finally(forget),
      waiting: 0,
      stop() {
        forget();
        ending.abort();
      },
    };
    running.set(key, asked);
    return asked;
  }

  function of(owner: Owner, server: Place, signal?: AbortSignal): Promise<Looked> {
    if (addressKindOf(server.ip) !== 'name')
      return Promise.resolve({ kind: 'found', addresses: [server.ip] });
    return signal?.aborted ? Promise.resolve(unknown) : waitFor(ask(owner, server), signal);
  }

  return {
    of,
    async ofEach(owner, servers, signal) {
      const until = performance.now() + nameLookups.waitMs;
      const found = servers.map(() => unknown);
      const waiting = servers.entries();
      const work = async () => {
        for (const [at, server] of waiting)
          if (addressKindOf(server.ip) !== 'name' || performance.now() < until)
            found[at] = await of(owner, server, signal);
      };
      await Promise.all(Array.from({ length: nameLookups.together }, work));
      return found;
    },
  };
}

/** The answer, or `unknown` once `signal` aborts. The last request that leaves ends the look-up. */
function waitFor(asked: Asked, signal: AbortSignal | undefined): Promise<Looked> {
  asked.waiting += 1;
  if (!signal) return asked.looked;
  return new Promise((settle, reject) => {
    const leave = () => {
      asked.waiting -= 1;
      if (asked.waiting === 0) asked.stop();
      settle(unknown);
    };
    signal.addEventListener('abort', leave, { once: true });
    asked.looked.finally(() => signal.removeEventListener('abort', leave)).then(settle, reject);
  });
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
  signal?: AbortSignal,
): Promise<boolean | null> {
  const [there, own] = await addresses.ofEach(owner, [{ ip: domain, port: server.port }, server], signal);
  if (there?.kind === 'none') return false;
  if (there?.kind !== 'found' || own?.kind !== 'found') return null;
  return there.addresses.every((address) => own.addresses.includes(address));
}
