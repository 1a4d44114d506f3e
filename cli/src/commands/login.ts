import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { consoleOrigin } from '../console/address.ts';
import { askConsole, type Console, noSense } from '../console/ask-console.ts';
import { readRoute } from '../console/read-route.ts';
import { variable } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { askTools } from '../mcp/ask-tools.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import { readInput } from '../read-input.ts';
import { askLine } from '../sign-in/ask-line.ts';
import { chosenOrigin } from '../sign-in/choose-console.ts';
import { signInByCode } from '../sign-in/device-flow.ts';
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
    {
      name: 'token-stdin',
      purpose: 'Reads an API token from standard input; a terminal asks for it and does not show it.',
    },
    {
      name: 'agent',
      purpose:
        'Reads the token of a coding agent in the same way, and keeps it for `homeport mcp` alone, beside your own.',
    },
  ],
  summary:
    'Signs in to a console, and keeps the address and the token for the next commands. You type a code in your browser; the token that this machine then gets is its own, reads, proposes changes of apps to you, and ends after 90 days, or 30 without use.',
  json: 'The console, its version, and the account; null where the token came from standard input.',
  asksConsole: true,
  async run(run) {
    const { terminal } = run;
    const plainHttp = run.flags['plain-http'] === true;
    const origin = consoleOrigin(await addressFor(run), { plainHttp });
    const stranger: Console = { origin, token: null, terminal };
    // Before the token is asked for: a wrong address shows itself here.
    const { value } = await readRoute(stranger, 'GET /api/configuration', z.object({ version: z.string() }));
    const { token, account } = await tokenFor(run, stranger);
    const as = run.flags.agent === true ? 'agent' : 'terminal';
    await (as === 'agent' ? proveTools : proveToken)({ ...stranger, token });
    await keepSignIn(placesOf(terminal), { origin, token, plainHttp, as });
    if (run.json)
      await printJson(terminal, JSON.stringify({ console: origin, version: value.version, account }));
    const person = account === null ? '' : ` as ${oneLine(account)}`;
    const done = as === 'agent' ? 'Coding agents on this machine read' : 'Signed in to';
    await terminal.err(`${done} ${origin}, Homeport ${oneLine(value.version)}${person}.\n`);
    if (variable(terminal.env, 'HOMEPORT_TOKEN') !== undefined)
      await terminal.err('HOMEPORT_TOKEN is set here, and wins over the token that was kept now.\n');
    return exitCodes.good;
  },
};

export const logout: Command = {
  words: ['logout'],
  summary:
    'Removes the tokens for the console from this machine, that of a coding agent too. Revoke them on your profile to end them.',
  json: 'The console, and whether there was a token.',
  asksConsole: false,
  async run({ terminal, json }) {
    // Nothing is sent, so the form of the address does not matter.
    const forAgents = await chosenOrigin(terminal, { plainHttp: true, as: 'agent' }).catch(noConsole);
    const chosen = chosenOrigin(terminal, { plainHttp: true, as: 'terminal' });
    const origin = forAgents === null ? await chosen : ((await chosen.catch(noConsole)) ?? forAgents);
    const places = placesOf(terminal);
    const own = (await forgetToken(places, origin, 'terminal')) ? [origin] : [];
    const ofAgents = forAgents !== null && (await forgetToken(places, forAgents, 'agent')) ? [forAgents] : [];
    const gone = [...new Set([...own, ...ofAgents])];
    if (json) await printJson(terminal, JSON.stringify({ console: origin, forgotten: gone.length > 0 }));
    await terminal.err(
      gone.length > 0
        ? `No token for ${gone.join(' and ')} is left on this machine.\n`
        : `There was no token for ${origin}.\n`,
    );
    return exitCodes.good;
  },
};

function noConsole(error: unknown): null {
  if (error instanceof CommandProblem) return null;
  throw error;
}

const addressFor = async ({ args, terminal }: Run) =>
  args.ADDRESS ??
  variable(terminal.env, 'HOMEPORT_URL') ??
  (await askLine(terminal, 'Address of the console: ', {
    isSecret: false,
    orElse: 'Give the address: `homeport login https://console.example.com --token-stdin`.',
  }));

async function tokenFor(
  { flags, terminal }: Run,
  console: Console,
): Promise<{ token: string; account: string | null }> {
  if (flags['token-stdin'] === true || flags.agent === true) {
    const text = terminal.canAsk
      ? await askLine(terminal, 'API token, which is not shown: ', { isSecret: true, orElse: '' })
      : await readInput(terminal, mostInputCharacters);
    return { token: checkedToken(text, 'This'), account: null };
  }
  if (!terminal.canAsk)
    throw new CommandProblem(
      exitCodes.waits,
      'A person has to type a code for this, and this is no terminal.',
      {
        recovery:
          'Hand an API token over standard input with --token-stdin, or set HOMEPORT_TOKEN for each command.',
      },
    );
  return signInByCode(console, terminal);
}

/** @throws CommandProblem for a token that may call no tools */
async function proveTools(console: Console): Promise<void> {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
  const signal = console.terminal.interrupted;
  const answer = await askTools(console, request, { revision: null, signal });
  if ('error' in answer) throw noSense();
}

/** A token with other scopes is good, too. @throws CommandProblem for a token that the console does not know */
async function proveToken(console: Console): Promise<void> {
  await askConsole(console, { method: 'GET', path: '/api/operations?active=true' }).catch(
    (error: unknown) => {
      if (error instanceof CommandProblem && error.code === 'not_allowed') return;
      if (error instanceof CommandProblem && error.code === 'not_signed_in')
        throw new CommandProblem(exitCodes.notAllowed, 'The console does not know this token.', {
          recovery: 'It may have ended or been revoked. Make one on your profile, under Programs.',
          ...(error.answer === undefined ? {} : { answer: error.answer }),
        });
      throw error;
    },
  );
}
