import { CommandProblem } from '../command-problem.ts';
import { askConsole } from '../console/ask-console.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { readInput } from '../read-input.ts';
import type { Command, Run } from './command.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const mostBodyCharacters = 1024 * 1024;

export const api: Command = {
  words: ['api'],
  args: [{ name: 'METHOD', oneOf: methods }, { name: 'PATH' }],
  flags: [
    { name: 'body', value: 'JSON', purpose: 'The body of the request. “-” reads it from standard input.' },
  ],
  summary:
    'Calls a route that answers with JSON and that the token may call, and prints the answer. PATH begins with /api/ or /monitor/.',
  json: 'The answer, with or without the flag.',
  asksConsole: true,
  async run(run) {
    const { terminal, args } = run;
    const body = await bodyOf(run);
    const console = await run.signIn();
    const question = { method: args.METHOD ?? '', path: args.PATH ?? '' };
    await printJson(
      terminal,
      await askConsole(console, body === undefined ? question : { ...question, body }),
    );
    return exitCodes.good;
  },
};

async function bodyOf({ flags: { body }, terminal }: Run): Promise<string | undefined> {
  if (typeof body !== 'string') return undefined;
  const text = body === '-' ? await readInput(terminal, mostBodyCharacters) : body;
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new CommandProblem(exitCodes.usage, 'The body is not JSON.', { recovery: 'Nothing was sent.' });
  }
}
