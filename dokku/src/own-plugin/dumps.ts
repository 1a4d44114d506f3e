import type { DumpOrigin } from '@homeport/contract/databases/facts';
import { dumpOrigins } from '@homeport/contract/databases/facts';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { ServiceName } from '../names/service-name.ts';
import { readTold } from './lines.ts';

// Dumps of databases, which Homeport's own Dokku plugin keeps on the server (`dokku/plugin/dump-functions`).

const dumpIdSchema = z.uuid().brand<'DumpId'>();
/** The console names a dump before it is made, so that a command that is repeated makes no second one. */
export type DumpId = z.output<typeof dumpIdSchema>;

/** @throws ZodError for a text that is no dump's id. */
export const dumpId = (text: string): DumpId => dumpIdSchema.parse(text.toLowerCase());

export type ToldDump = {
  readonly id: DumpId;
  readonly origin: DumpOrigin;
  readonly bytes: number;
  readonly sha256: string;
  /** By the server's clock. */
  readonly madeAt: number;
  readonly durationSeconds: number;
};

/** The service's dumps and the room for more. Ends with 1 for a missing service (`service_missing`). */
export function list(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku('homeport:dumps', type, name);
}

/**
 * Exports the service's data into a dump, and tells it. A dump of this id that is there stays as it is. Fails with `dump_no_room`
 * and `dump_empty`; a failure leaves nothing behind.
 */
export function make(
  type: DatabaseTypeName,
  name: ServiceName,
  id: DumpId,
  origin: Exclude<DumpOrigin, 'uploaded'>,
): Command {
  return dokku('homeport:dump', type, name, id, origin);
}

/** The bytes of a dump on stdout, and nothing else there. */
export function read(type: DatabaseTypeName, name: ServiceName, id: DumpId): Command {
  return dokku('homeport:dump-read', type, name, id);
}

/** Takes a dump of exactly so many bytes in from stdin, and tells it. An input that ends early leaves nothing (`dump_cut_off`). */
export function write(type: DatabaseTypeName, name: ServiceName, id: DumpId, bytes: number): Command {
  return dokku('homeport:dump-write', type, name, id, String(bytes));
}

/** Fails with `dump_missing`. */
export function remove(type: DatabaseTypeName, name: ServiceName, id: DumpId): Command {
  return dokku('homeport:dump-delete', type, name, id);
}

/**
 * Replaces the service's data by the dump's, after its checksum was found right. `run` names the attempt: one that ended well is
 * not made a second time. The service has to run, and its container to exist.
 */
export function restore(type: DatabaseTypeName, name: ServiceName, id: DumpId, run: DumpId): Command {
  return dokku('homeport:restore', type, name, id, run);
}

const dumpSchema = z.object({
  dump: z.object({
    id: dumpIdSchema,
    origin: z.enum(dumpOrigins),
    bytes: z.number().int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    atSeconds: z.number().int().nonnegative(),
    durationSeconds: z.number().int().nonnegative(),
  }),
});
const roomSchema = z.object({ freeBytes: z.number().int().nonnegative() });
const lineSchema = z.union([dumpSchema, roomSchema]);

/** Newest first. `freeBytes` is null where the server does not tell. @throws UnreadableOutputError */
export function readDumps(outcome: Outcome): { dumps: ToldDump[]; freeBytes: number | null } {
  const dumps: ToldDump[] = [];
  let freeBytes: number | null = null;
  for (const value of readTold('homeport:dumps', outcome.stdout).values) {
    const line = lineSchema.safeParse(value);
    if (!line.success) continue;
    if ('freeBytes' in line.data) freeBytes = line.data.freeBytes;
    else {
      const { atSeconds, ...dump } = line.data.dump;
      dumps.push({ ...dump, madeAt: atSeconds * 1_000 });
    }
  }
  dumps.sort((a, b) => b.madeAt - a.madeAt);
  return { dumps, freeBytes };
}
