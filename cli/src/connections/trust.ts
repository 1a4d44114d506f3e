import { fingerprintSchema } from '@homeport/contract/connections/schema';
import { z } from 'zod';
import { readOwnFile, writeOwnFile } from '../sign-in/own-file.ts';
import type { Places } from '../sign-in/places.ts';

const pinSchema = z.object({ fingerprint: fingerprintSchema, at: z.number() });
/** By the console's origin, then by the server's id: another console names no server of this one. */
const trustSchema = z.object({ pins: z.record(z.string(), z.record(z.string(), pinSchema)) });

/** Beyond, the pins go that were made first; their servers are asked about again. */
const mostPins = 1_000;

export interface PinOf {
  origin: string;
  serverId: string;
}

const read = ({ trust }: Places) =>
  readOwnFile(trust, trustSchema, {
    isSecret: true,
    ifRead: 'compare the fingerprints in it if somebody else may have changed it.',
  });

/** The host key that this terminal accepted for a server. The console's copy does not change it. null: none yet. */
export async function keptPin(places: Places, { origin, serverId }: PinOf): Promise<string | null> {
  const kept = (await read(places))?.pins ?? {};
  const ofConsole = Object.hasOwn(kept, origin) ? (kept[origin] ?? {}) : {};
  return Object.hasOwn(ofConsole, serverId) ? (ofConsole[serverId]?.fingerprint ?? null) : null;
}

/** Call only after the person, or a file of the person, accepted this fingerprint. */
export async function keepPin(
  places: Places,
  { origin, serverId, fingerprint, at }: PinOf & { fingerprint: string; at: number },
): Promise<void> {
  const kept = (await read(places))?.pins ?? {};
  const others = Object.entries(kept)
    .flatMap(([of, pins]) => Object.entries(pins).map(([id, pin]) => ({ of, id, pin })))
    .filter(({ of, id }) => of !== origin || id !== serverId)
    .toSorted((a, b) => b.pin.at - a.pin.at)
    .slice(0, mostPins - 1);
  const pins: Record<string, Record<string, z.output<typeof pinSchema>>> = {};
  for (const { of, id, pin } of [{ of: origin, id: serverId, pin: { fingerprint, at } }, ...others])
    pins[of] = { ...pins[of], [id]: pin };
  await writeOwnFile(places.trust, { pins });
}
