import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { consoleOrigin } from '../console/address.ts';
import { askConsole, type Console } from '../console/ask-console.ts';
import { readRoute } from '../console/read-route.ts';
import { variable } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import { readInput } from '../read-input.ts';
import { askLine } from '../sign-in/ask-line.ts';
import { chosenOrigin } from '../sign-in/choose-console.ts';
import { forgetToken, keepSignIn } from '../sign-in/kept-sign-in.ts';
import { placesOf } from '../sign-in/places.ts';
import { checkedToken } from '../sign-in/token-text.ts';
import type { Command, Run } from './command.ts';

const mostInputCharacters = 4_096;

/** There is no flag for the token: it would stand in the shell's history and in the list of processes. */
export const login: Command = {
  words: ['login'],
  args: [{ name: 'ADDRESS', orElse: 'HOMEPORT_URL, else a question' }],
  flags: [
    { name: 'token-stdin', purpose: 'Reads the API token from standard input, in place of a question.' },
  ],
  summary:
    'Signs in to a console with an API token of your profile, and keeps both for the next commands. The token is asked for without echo.',
  json: 'The console and its version.',
  asksConsole: true,
  async run(run) {
    const { terminal } = run;
    const plainHttp = run.flags['plain-http'] === true;
    const origin = consoleOrigin(await addressFor(run), { plainHttp });
    const stranger: Console = { origin, token: null, terminal };
    // Before the token is asked for: a wrong address shows itself here.
    const { value } = await readRoute(stranger, 'GET /api/configuration', z.object({ version: z.string() }));
    const token = checkedToken(await tokenFor(run), 'This');
    await proveToken({ ...stranger, token });
    await keepSignIn(placesOf(terminal), { origin, token, plainHttp });
    if (run.json) await printJson(terminal, JSON.stringify({ console: origin, version: value.version }));
    await terminal.err(`Signed in to ${origin}, Homeport ${oneLine(value.version)}.\n`);
    if (variable(terminal.env, 'HOMEPORT_TOKEN') !== undefined)
      await terminal.err('HOMEPORT_TOKEN is set here, and wins over the token that was kept now.\n');
    return exitCodes.good;
  },
};

export const logout: Command = {
  words: ['logout'],
  summary: 'Removes the token of the console from this machine. Revoke it on your profile to end it.',
  json: 'The console, and whether there was a token.',
  asksConsole: false,
  async run({ terminal, json }) {
    // Nothing is sent, so the form of the address does not matter.
    const origin = await chosenOrigin(terminal, true);
    const forgotten = await forgetToken(placesOf(terminal), origin);
    if (json) await printJson(terminal, JSON.stringify({ console: origin, forgotten }));
    await terminal.err(
      forgotten
        ? `The token for ${origin} is gone from this machine.\n`
        : `There was no token for ${origin}.\n`,
    );
    return exitCodes.good;
  },
};

const addressFor = async ({ args, terminal }: Run) =>
  args.ADDRESS ??
  variable(terminal.env, 'HOMEPORT_URL') ??
  (await askLine(terminal, 'Address of the console: ', {
    isSecret: false,
    orElse: 'Give the address: `homeport login https://console.example.com --token-stdin`.',
  }));

const tokenFor = ({ flags, terminal }: Run) =>
  flags['token-stdin'] === true
    ? readInput(terminal, mostInputCharacters)
    : askLine(terminal, 'API token, which is not shown: ', {
        isSecret: true,
        orElse:
          'Hand the token over standard input with --token-stdin, or set HOMEPORT_TOKEN for each command.',
      });

/** A token with other scopes is good, too. @throws CommandProblem for a token that the console does not know */
async function proveToken(console: Console): Promise<void> {
  await askConsole(console, { method: 'GET', path: '/api/operations?active=true' }).catch(
    (error: unknown) => {
      if (error instanceof CommandProblem && error.code === 'not_allowed') return;
      if (error instanceof CommandProblem && error.code === 'not_signed_in')
        throw new CommandProblem(exitCodes.notAllowed, 'The console does not know this token.', {
          recovery: 'It may have ended or been revoked. Make one on your profile, under API tokens.',
          ...(error.answer === undefined ? {} : { answer: error.answer }),
        });
      throw error;
    },
  );
}
