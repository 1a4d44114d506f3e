import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintSchema } from '@homeport/contract/connections/schema';
import { z } from 'zod';
import { readOwnFile, writeOwnFile } from '../sign-in/own-file.ts';
import type { Places } from '../sign-in/places.ts';
import { dropOldest } from './drop-oldest.ts';

/** A host key that this terminal accepted, and what the console said of the server then. */
const pinSchema = z.object({
  /** The console. Another one names no server of this one. */
  origin: z.string(),
  serverId: z.string(),
  fingerprint: fingerprintSchema,
  name: z.string(),
  ip: z.string(),
  port: z.number(),
  /** The fingerprint of the key that was signed with. */
  key: fingerprintSchema,
});
export type Pin = z.output<typeof pinSchema>;

/** Beyond, the pins go that were kept first; their servers are asked about again. */
const mostPins = 1_000;

type PinOf = Pick<Pin, 'origin' | 'serverId'>;

/** The console chooses the server's id, which is therefore no part of a name of a file. */
const fileOf = ({ trust }: Places, { origin, serverId }: PinOf) =>
  join(trust, `${createHash('sha256').update(`${origin}\n${serverId}`).digest('hex')}.json`);

const readPin = (path: string) =>
  readOwnFile(path, pinSchema, {
    isSecret: true,
    ifRead: 'compare the fingerprint in it if somebody else may have changed it.',
  });

/** What this terminal accepted for a server. The console's copy does not change it. null: nothing yet. */
export async function keptPin(places: Places, of: PinOf): Promise<Pin | null> {
  const pin = await readPin(fileOf(places, of));
  return pin?.origin === of.origin && pin.serverId === of.serverId ? pin : null;
}

/** Another server of this console that has the same host key, as this terminal knows it. */
export async function otherWithKey(
  places: Places,
  { origin, serverId, fingerprint }: PinOf & Pick<Pin, 'fingerprint'>,
): Promise<Pin | null> {
  const names = await readdir(places.trust).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const pin = await readPin(join(places.trust, name));
    if (pin?.origin === origin && pin.serverId !== serverId && pin.fingerprint === fingerprint) return pin;
  }
  return null;
}

/**
 * Call only after the person, or a file of the person, accepted this. Each pin is a file of its own: two commands that keep pins at once
 * lose none.
 */
export async function keepPin(places: Places, pin: Pin): Promise<void> {
  await mkdir(places.trust, { recursive: true, mode: 0o700 });
  await writeOwnFile(fileOf(places, pin), pin);
  await dropOldest(places.trust, mostPins);
}
