import { commandOutput, commandsListed } from '@homeport/contract/apps/one-off/facts';
import { commandWordsSchema, runContainerSchema } from '@homeport/contract/apps/one-off/schema';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { linesOf, readJson } from '../output.ts';
import { markVariable, shellWords, type TerminalMark } from './shell-words.ts';

/** Words that Dokku gives to the container and takes none of for itself. */
const safeWordsSchema = commandWordsSchema.brand<'CommandWords'>();
export type CommandWords = z.output<typeof safeWordsSchema>;

/** @throws ZodError */
export function commandWords(words: readonly string[]): CommandWords {
  return safeWordsSchema.parse(words);
}

type RunContainer = string & z.$brand<'RunContainer'>;

/**
 * Runs the words in a new container of the app's image, which goes with its end. The exit code is that of the words, and 1 for a
 * program that the image does not have. A first word that the Procfile names becomes that process's command. Dokku ends the container
 * after `seconds`. It has no limit of memory but those of the app's own Docker options.
 */
export function attended(app: AppName, words: CommandWords, seconds: number): Command {
  return dokku('run', '--no-tty', '--ttl-seconds', String(seconds), app, ...words);
}

/** The same without anybody who reads: the container goes on when the connection ends. Prints its name. */
export function inBackground(app: AppName, words: CommandWords, seconds: number): Command {
  return dokku('run:detached', '--ttl-seconds', String(seconds), app, ...words);
}

/** A shell in a new container, for a terminal; the container goes with the shell, and after `seconds` at the latest. */
export function shell(app: AppName, seconds: number, mark: TerminalMark): Command {
  return dokku('run', '--ttl-seconds', String(seconds), app, ...shellWords(mark));
}

/** The container of a terminal's shell among those that run, by its words or its own DYNO (`run.26337`). Null: it has ended. */
export function containerOfShell(
  listed: readonly RunningCommand[],
  app: AppName,
  { mark, dyno }: { mark: TerminalMark; dyno: string | null },
): RunContainer | null {
  const isOwn = ({ container, command }: RunningCommand) =>
    command.includes(markVariable(mark)) || (dyno !== null && container === `${app}.${dyno}`);
  return listed.find(isOwn)?.container ?? null;
}

/** Null where the answer names no container of the app. */
export function readStarted(outcome: Outcome, app: AppName): RunContainer | null {
  return (
    linesOf(outcome.stdout)
      .map((line) => ownContainer(line.trim(), app))
      .find((name) => name !== null) ?? null
  );
}

export function list(app: AppName): Command {
  return dokku('run:list', app, '--format', 'json');
}

export type RunningCommand = {
  readonly container: RunContainer;
  readonly state: string;
  readonly command: string;
  readonly createdAt: number | null;
};

const listSchema = z.array(
  z.object({ name: z.string(), state: z.string(), command: z.string(), created_at: z.string() }),
);

/** The newest ones first, and no container that is not the app's own. */
export function readList(outcome: Outcome, app: AppName): RunningCommand[] {
  const rows = outcome.stdout.trim() === '' ? [] : readJson('run:list', outcome.stdout, listSchema);
  return rows
    .flatMap((row) => {
      const container = ownContainer(row.name, app);
      const [state, command] = [row.state.slice(0, 30), row.command.slice(0, commandsListed.characters)];
      return container === null ? [] : [{ container, state, command, createdAt: readTime(row.created_at) }];
    })
    .sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0))
    .slice(0, commandsListed.most);
}

/** Docker prints a command in double quotes, behind the image's own entry point, and the list has its first part. */
export function isOf(printed: string, words: readonly string[]): boolean {
  return printed.includes(JSON.stringify(words.join(' ')).slice(1, -1).slice(0, comparedCharacters));
}

const comparedCharacters = 200;

/** The app's name, `run` and a number: `run:stop` and `run:logs` take the name of any container of the server. */
function ownContainer(name: string, app: AppName): RunContainer | null {
  const isOwn = name.startsWith(`${app}.run.`) && /^\d{1,9}$/.test(name.slice(`${app}.run.`.length));
  return isOwn ? runContainerSchema.brand<'RunContainer'>().parse(name) : null;
}

/** Docker's own form: `2026-11-21 07:31:58 +0000 UTC`. */
function readTime(text: string): number | null {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\b/.exec(text);
  if (!found) return null;
  const [, day, time, hours, minutes] = found;
  const at = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(at) ? null : at;
}

/** Without times. Dokku refuses an app with a dot in its name here. */
export function output(container: RunContainer): Command {
  return dokku('run:logs', '--container', container, '--num', String(commandOutput.lines), '--quiet');
}

export function readOutput(outcome: Outcome): string[] {
  return linesOf(outcome.stdout)
    .slice(-commandOutput.lines)
    .map((line) => line.slice(0, commandOutput.lineCharacters));
}

/** Asks the command to end, and kills it after the app's time to stop. Ends with 0 for a container that is gone. */
export function stop(app: AppName, container: RunContainer): Command {
  return dokku('run:stop', app, '--container', container);
}
