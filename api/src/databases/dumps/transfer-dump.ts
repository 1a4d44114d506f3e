import { createHash, type Hash } from 'node:crypto';
import { dumpStallMs } from '@homeport/contract/databases/facts';
import type { Dump } from '@homeport/contract/databases/schema';
import { argvFor, type Command, dumps, failureOf, serviceName, wayToEnd } from '@homeport/dokku';
import type { CommandOptions } from '@homeport/ssh';
import type { FileAnswer } from '../../http/file-answer.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Upload } from '../../http/upload.ts';
import { asProblem } from '../../remote/run-command.ts';
import type { ReachedDatabase } from '../reach-database.ts';
import { type FoundDump, findDump, refusedDump, requireDumps } from './list-dumps.ts';

/** A transfer ends when it stands still. The whole may take as long as a slow line needs. */
const atMostMs = 24 * 60 * 60_000;

type Reached = Pick<ReachedDatabase, 'connection' | 'account' | 'database' | 'run'>;
type Pipes = Pick<CommandOptions, 'stdin' | 'onStdoutBytes'>;

/**
 * A dump as a file, straight from the server. Its last bytes are handed over only when the whole has the length and the checksum
 * that the server told, so that a damaged file never arrives as a whole one.
 */
export async function fetchDump(reached: Reached, id: string, signal: AbortSignal): Promise<FileAnswer> {
  const { database, run } = reached;
  const { extension } = requireDumps(database);
  const dump = await findDump(run, database, id);
  const time = new Date(dump.madeAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return {
    name: `${database.type}-${database.longname}-${time}.${extension}`,
    bytes: dump.bytes,
    async pour(take) {
      const checksum = checksumHere(dump);
      let held: Buffer | null = null;
      let arrived = 0;
      const onStdoutBytes = (bytes: Buffer) => {
        const before = held;
        held = bytes;
        arrived += bytes.length;
        checksum?.update(bytes);
        // Bytes past the announced length are not sent on, and fail below.
        return before && arrived <= dump.bytes ? take(before) : undefined;
      };
      const command = dumps.read(database.type, serviceName(database.longname), dump.id);
      const ran = await transfer(reached, command, { onStdoutBytes }, signal);
      if (failureOf(ran)?.code === 'dump_damaged') throw damaged();
      if (ran.exitCode !== 0) throw refusedDump(ran);
      if (arrived !== dump.bytes || (checksum && checksum.digest('hex') !== dump.sha256)) throw damaged();
      if (held) await take(held);
    },
  };
}

/**
 * The checksum of a dump whose server does not compare it. It is taken while the bytes are in the processor's cache: a thread of its
 * own would fetch them there once more. A server that compares does so on its own processor, and its bytes cannot change on the way
 * (RFC 4253, 6.4).
 */
const checksumHere = ({ comparesWhileSending }: FoundDump): Hash | null =>
  comparesWhileSending ? null : createHash('sha256');

const damaged = () =>
  new ProblemError(
    'remote_failed',
    'The dump on the server no longer has its checksum: its file was changed or damaged. The download was broken off.',
  );

/**
 * Passes an upload on to the server, and then the checksum of what passed: it is computed here, where the bytes are in memory already.
 * If the upload ends early, or stands still, nothing of it is kept there.
 */
export async function storeUpload(
  reached: Reached,
  id: string,
  upload: Upload,
  signal: AbortSignal,
): Promise<Dump> {
  const { database } = reached;
  requireDumps(database);
  const command = dumps.write(database.type, serviceName(database.longname), dumps.dumpId(id), upload.bytes);
  const stdin = followedByChecksum(upload.pieces);
  const ran = await transfer(reached, command, { stdin }, signal);
  if (ran.exitCode !== 0) throw refusedDump(ran);
  const [dump] = dumps.readDumps(ran).dumps;
  if (!dump) throw new ProblemError('remote_failed', 'The server did not report the dump.');
  return dump;
}

async function* followedByChecksum(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const checksum = createHash('sha256');
  for await (const piece of pieces) {
    checksum.update(piece);
    yield piece;
  }
  yield dumps.checksumLine(checksum.digest('hex'));
}

async function transfer(
  { connection, account }: Reached,
  command: Command,
  pipes: Pipes,
  signal: AbortSignal,
) {
  try {
    const ran = await connection.exec({
      ...pipes,
      argv: argvFor(account, command),
      signal,
      deadlineMs: atMostMs,
      stallMs: dumpStallMs,
      wayToEnd: wayToEnd(account),
      whenTooLong: 'keep_newest',
    });
    return { ...ran, exitCode: ran.exitCode ?? 128 };
  } catch (error) {
    throw asProblem(error);
  }
}
