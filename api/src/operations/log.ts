import { setTimeout as pause } from 'node:timers/promises';
import { operationLog as most, remoteLineCharacters } from '@homeport/contract/limits';
import { service } from '@homeport/dokku';
import { splitLines } from '@homeport/ssh';
import type { Database, Owner } from '@homeport/store';
import type { Insertable, Kysely } from 'kysely';
import type { CommandRecord } from '../remote/run-command.ts';
import { told } from './told.ts';

const flushAfterMs = 40;
/** Few enough that the event loop builds the statement, with six values a line, in a few milliseconds. */
const linesAtOnce = 500;
/** With more text than this on its way to the store, the server has to wait. */
const unwrittenCharacters = 128 * 1024;
/** A line counts for this much beside its text, so that endless empty lines make the server wait as well. */
const charactersOfALine = 64;

type Stream = 'out' | 'err' | 'note';
type CommandRow = Insertable<Database['operation_commands']>;
type Row = { operation_id: string; seq: number; at: number; step: string; stream: Stream; text: string };

export type OperationLog = {
  /**
   * Takes output as it arrives: in pieces, with or without line ends. Returns a promise to wait for if a
   * command writes faster than the store.
   */
  write(step: string, stream: 'out' | 'err', text: string): void | Promise<void>;
  note(step: string, text: string): void;
  ran(step: string, record: CommandRecord): void;
  /** Resolves when everything written so far is in the store. */
  flush(): Promise<void>;
};

/**
 * The append-only log of one running operation. Lines are written in batches, and each batch is announced
 * once. So a chatty build costs the store little, and its reader sees a line within a few hundredths of a
 * second.
 */
export function openOperationLog(
  db: Kysely<Database>,
  owner: Owner,
  operationId: string,
  next: { line: number; command: number; characters: number },
  onError: (error: unknown) => void,
): OperationLog {
  let lineSeq = next.line;
  let commandSeq = next.command;
  let characters = next.characters;
  let full = lineSeq > most.lines || characters > most.characters;
  let pending: Row[] = [];
  let commands: CommandRow[] = [];
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  // A runaway log must not fill the disk. The last line says that the rest was dropped.
  const push = (step: string, stream: Stream, text: string) => {
    if (full) return;
    characters += text.length;
    full = lineSeq >= most.lines || characters > most.characters;
    const kept = full
      ? 'The log is full: later lines are not kept.'
      : // Concealed first: the cut could take away the end by which a password is known.
        service.withoutSecrets(text).slice(0, most.lineCharacters);
    unwritten += kept.length + charactersOfALine;
    pending.push({
      operation_id: operationId,
      seq: lineSeq++,
      at: Date.now(),
      step,
      stream,
      // PostgreSQL’s text holds every character but NUL.
      text: kept.replaceAll('\0', ''),
    });
    soon();
  };
  const steps = { out: '', err: '' };
  const split = {
    out: splitLines((line) => push(steps.out, 'out', line), remoteLineCharacters, 'cut'),
    err: splitLines((line) => push(steps.err, 'err', line), remoteLineCharacters, 'cut'),
  };
  const soon = () => {
    timer ??= setTimeout(() => void flush(), flushAfterMs);
  };

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const lines = pending;
    const ran = commands;
    pending = [];
    commands = [];
    unwritten = 0;
    if (ran.length + lines.length > 0)
      writing = writing.then(() => keep(db, { owner, operationId, lines, ran })).catch(onError);
    return writing;
  };

  /**
   * A command that writes without pause gets at most half of the store’s time. The rest is for other people’s
   * queries.
   */
  const flushAndRest = async () => {
    const begin = performance.now();
    await flush();
    await pause(performance.now() - begin);
  };

  return {
    write(step, stream, text) {
      steps[stream] = step;
      split[stream].write(text);
      return unwritten > unwrittenCharacters ? flushAndRest() : undefined;
    },
    note: (step, text) => push(step, 'note', text),
    ran(step, record) {
      for (const stream of ['out', 'err'] as const) {
        steps[stream] = step;
        split[stream].end();
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

/** Adds commands and lines to the store, and announces each batch of lines. */
async function keep(
  db: Kysely<Database>,
  { owner, operationId, lines, ran }: { owner: Owner; operationId: string; lines: Row[]; ran: CommandRow[] },
): Promise<void> {
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
}
