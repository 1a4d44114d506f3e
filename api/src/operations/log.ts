import type { Database, Owner } from '@homeport/store';
import type { Insertable, Kysely } from 'kysely';
import type { CommandRecord } from '../remote/run-command.ts';
import { told } from './told.ts';

const flushAfterMs = 40;
const lineCharacters = 4_000;
/** A statement of PostgreSQL takes 65,535 values, and a line has six. */
const linesAtOnce = 5_000;
/** A log that runs away must not fill the disk; the last line says that the rest was dropped. */
const linesAtMost = 50_000;

type Stream = 'out' | 'err' | 'note';
type CommandRow = Insertable<Database['operation_commands']>;
type Row = { operation_id: string; seq: number; at: number; step: string; stream: Stream; text: string };

export type OperationLog = {
  /** Output as it arrives: in pieces, with or without line ends. */
  write(step: string, stream: 'out' | 'err', text: string): void;
  note(step: string, text: string): void;
  ran(step: string, record: CommandRecord): void;
  /** Resolves once everything said so far stands in the store. */
  flush(): Promise<void>;
};

/**
 * The append-only log of one running operation. Lines are written in batches, each batch told once, so that a chatty build
 * costs the store little and its reader sees it within a few hundredths of a second.
 */
export function openOperationLog(
  db: Kysely<Database>,
  owner: Owner,
  operationId: string,
  next: { line: number; command: number },
  onError: (error: unknown) => void,
): OperationLog {
  let lineSeq = next.line;
  let commandSeq = next.command;
  let pending: Row[] = [];
  let commands: CommandRow[] = [];
  const partial = { out: '', err: '' };
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const push = (step: string, stream: Stream, text: string) => {
    if (lineSeq > linesAtMost) return;
    const shown =
      lineSeq === linesAtMost ? 'The log is full: later lines are not kept.' : text.slice(0, lineCharacters);
    // PostgreSQL’s text holds every character but NUL.
    pending.push({
      operation_id: operationId,
      seq: lineSeq++,
      at: Date.now(),
      step,
      stream,
      text: shown.replaceAll('\0', ''),
    });
    soon();
  };
  const soon = () => {
    timer ??= setTimeout(() => void flush(), flushAfterMs);
  };

  const keep = async (lines: Row[], ran: CommandRow[]) => {
    if (ran.length > 0) await db.insertInto('operation_commands').values(ran).execute();
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      await db
        .with('kept', (qb) =>
          qb
            .insertInto('operation_lines')
            .values(lines.slice(from, from + linesAtOnce))
            .returning('seq'),
        )
        .selectNoFrom(told('operation', { owner, operation: operationId }).as('told'))
        .execute();
    }
  };

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const lines = pending;
    const ran = commands;
    pending = [];
    commands = [];
    if (ran.length + lines.length > 0) writing = writing.then(() => keep(lines, ran)).catch(onError);
    return writing;
  };

  return {
    write(step, stream, text) {
      const lines = (partial[stream] + text).split('\n');
      partial[stream] = lines.pop() ?? '';
      for (const line of lines) push(step, stream, line.replace(/\r$/, ''));
    },
    note: (step, text) => push(step, 'note', text),
    ran(step, record) {
      for (const stream of ['out', 'err'] as const) {
        if (partial[stream] !== '') push(step, stream, partial[stream]);
        partial[stream] = '';
      }
      commands.push({
        operation_id: operationId,
        seq: commandSeq++,
        step,
        account: record.account,
        command: record.command.replaceAll('\0', ''),
        exit_code: record.exitCode,
        started_at: record.startedAt,
        duration_ms: Math.round(record.durationMs),
      });
      soon();
    },
    flush,
  };
}
