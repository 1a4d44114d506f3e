import {
  type DumpOrigin,
  dumpOrigins,
  type RestoreTestOutcome,
  restoreTestOutcomes,
} from '@homeport/contract/databases/facts';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { isDokkuAtLeast } from '@homeport/contract/servers/dokku-versions';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { ServiceName } from '../names/service-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { withoutSecrets } from '../services/without-secrets.ts';
import { readTold } from './lines.ts';

// Dumps of databases, which Homeport's own Dokku plugin keeps on the server (`dokku/plugin/dump-functions`).

const dumpIdSchema = z.uuid().brand<'DumpId'>();
/** The console names a dump before it is made, so that a command that is repeated makes no second one. */
export type DumpId = z.output<typeof dumpIdSchema>;

/** @throws ZodError for a text that is no dump's id. */
export const dumpId = (text: string): DumpId => dumpIdSchema.parse(text.toLowerCase());

export type ReportedDump = {
  readonly id: DumpId;
  readonly origin: DumpOrigin;
  readonly bytes: number;
  readonly sha256: string;
  /** By the server's clock. */
  readonly madeAt: number;
  readonly durationSeconds: number;
  /** What was counted around the making; null: nothing was. */
  readonly counts: Counts | null;
};

type Counts = { readonly parts: number; readonly least: number; readonly most: number };

export type ReportedTest = {
  readonly id: DumpId;
  readonly dumpId: DumpId;
  readonly dumpMadeAt: number;
  readonly testedAt: number;
  readonly durationSeconds: number;
  readonly outcome: RestoreTestOutcome;
  readonly found: { readonly parts: number; readonly entries: number } | null;
  readonly expected: Counts | null;
  readonly failure: string;
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

/**
 * The bytes of a dump on stdout, and nothing else there. Fails with `dump_damaged` behind the bytes if they are not those that were
 * kept, where the plugin `comparesWhileSending`.
 */
export function read(type: DatabaseTypeName, name: ServiceName, id: DumpId): Command {
  return dokku('homeport:dump-read', type, name, id);
}

/**
 * Takes a dump of exactly so many bytes in from stdin, and tells it. An input that ends early leaves nothing (`dump_cut_off`), and
 * neither does a disk that does not keep the dump (`dump_not_on_disk`). A `checksumLine` behind the bytes saves the server the work
 * of taking the checksum itself.
 */
export function write(type: DatabaseTypeName, name: ServiceName, id: DumpId, bytes: number): Command {
  return dokku('homeport:dump-write', type, name, id, String(bytes));
}

/** The line that may follow the bytes of `write`: their SHA-256 in lower-case hexadecimal digits. */
export function checksumLine(sha256: string): Uint8Array {
  return Buffer.from(`${sha256}\n`, 'latin1');
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

/**
 * Restores the dump into a service made for this, counts what is there, and destroys that service, which is marked as the test's own.
 * Ends with 0 and tells what was found, also where the dump could not be restored. `run` names the test: one that ended is told and
 * not made again.
 */
export function test(type: DatabaseTypeName, name: ServiceName, id: DumpId, run: DumpId): Command {
  return dokku('homeport:restore-test', type, name, id, run);
}

const count = z.number().int().nonnegative();
const countsSchema = z.object({ parts: count, least: count, most: count });
const testSchema = z.object({
  test: z.object({
    id: dumpIdSchema,
    dump: dumpIdSchema,
    dumpAtSeconds: count,
    atSeconds: count,
    durationSeconds: count,
    outcome: z.enum(restoreTestOutcomes),
    found: z.object({ parts: count, entries: count }).nullable(),
    expected: countsSchema.nullable(),
    failure: z.string(),
  }),
});

const dumpSchema = z.object({
  dump: z.object({
    id: dumpIdSchema,
    origin: z.enum(dumpOrigins),
    bytes: z.number().int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    atSeconds: z.number().int().nonnegative(),
    durationSeconds: z.number().int().nonnegative(),
    counts: countsSchema.nullish(),
  }),
});
const roomSchema = z.object({ freeBytes: z.number().int().nonnegative() });
const lineSchema = z.union([dumpSchema, roomSchema, testSchema]);

type Told = { dumps: ReportedDump[]; freeBytes: number | null; tests: ReportedTest[] };

/** The first version of the plugin that compares a dump with its checksum while it sends the bytes. */
const comparingPlugin = '1.5.0';

/** Whether the server compares the bytes that `read` sends, by its answer to `list`. @throws UnreadableOutputError */
export function comparesWhileSending(outcome: Outcome): boolean {
  return isDokkuAtLeast(readTold('homeport:dumps', outcome.stdout).plugin, comparingPlugin);
}

/** Newest first. `freeBytes` is null where the server does not tell. @throws UnreadableOutputError */
export function readDumps(outcome: Outcome): Told {
  const dumps: ReportedDump[] = [];
  const tests: ReportedTest[] = [];
  let freeBytes: number | null = null;
  for (const value of readTold('homeport:dumps', outcome.stdout).values) {
    const line = lineSchema.safeParse(value);
    if (!line.success) continue;
    if ('freeBytes' in line.data) freeBytes = line.data.freeBytes;
    else if ('test' in line.data) tests.push(toldTest(line.data));
    else {
      const { atSeconds, counts = null, ...dump } = line.data.dump;
      dumps.push({ ...dump, counts, madeAt: atSeconds * 1_000 });
    }
  }
  dumps.sort((a, b) => b.madeAt - a.madeAt);
  tests.sort((a, b) => b.testedAt - a.testedAt);
  return { dumps, freeBytes, tests };
}

/** The text of a failure is what programs on the server printed. */
function toldTest({
  test: { dump, dumpAtSeconds, atSeconds, failure, ...rest },
}: z.output<typeof testSchema>) {
  return {
    ...rest,
    dumpId: dump,
    dumpMadeAt: dumpAtSeconds * 1_000,
    testedAt: atSeconds * 1_000,
    failure: withoutSecrets(failure),
  };
}

/** What one test found. @throws UnreadableOutputError */
export function readTest(outcome: Outcome): ReportedTest {
  for (const value of readTold('homeport:restore-test', outcome.stdout).values) {
    const line = testSchema.safeParse(value);
    if (line.success) return toldTest(line.data);
  }
  throw new UnreadableOutputError('homeport:restore-test', outcome.stdout);
}
