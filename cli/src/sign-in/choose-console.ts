import { CommandProblem } from '../command-problem.ts';
import { consoleOrigin } from '../console/address.ts';
import type { Console } from '../console/ask-console.ts';
import { variable } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { keptConsole, keptToken, type TokenUse } from './kept-sign-in.ts';
import { placesOf } from './places.ts';
import { checkedToken } from './token-text.ts';

/**
 * The console and the token of a command: those of the environment, else those of the last `login`. A kept token goes only to the
 * origin for which it was kept.
 *
 * @throws CommandProblem without a console or a token
 */
export async function chooseConsole(
  terminal: Terminal,
  { plainHttp, as }: { plainHttp: boolean; as: TokenUse },
): Promise<Console & { token: string }> {
  const places = placesOf(terminal);
  const origin = await chosenOrigin(terminal, { plainHttp, as });
  const given = variable(terminal.env, 'HOMEPORT_TOKEN');
  const token =
    given === undefined ? await keptToken(places, origin, as) : checkedToken(given, 'HOMEPORT_TOKEN');
  if (token === null)
    throw new CommandProblem(exitCodes.notAllowed, missing[as](origin), { recovery: recoveries[as] });
  return { origin, token, terminal };
}

export async function chosenOrigin(
  terminal: Terminal,
  { plainHttp, as }: { plainHttp: boolean; as: TokenUse },
): Promise<string> {
  const given = variable(terminal.env, 'HOMEPORT_URL');
  if (given !== undefined) return consoleOrigin(given, { plainHttp });
  const kept = await keptConsole(placesOf(terminal), as);
  if (kept) return consoleOrigin(kept.console, { plainHttp: plainHttp || kept.plainHttp });
  const command = as === 'agent' ? 'homeport login --agent' : 'homeport login';
  throw new CommandProblem(exitCodes.notAllowed, notSignedIn[as], {
    recovery: `Run \`${command}\`, or set HOMEPORT_URL and HOMEPORT_TOKEN.`,
  });
}

const notSignedIn: Record<TokenUse, string> = {
  terminal: 'You are not signed in to a console.',
  agent: 'No console is chosen for coding agents.',
};

const missing: Record<TokenUse, (origin: string) => string> = {
  terminal: (origin) => `There is no token for ${origin} on this machine.`,
  agent: (origin) => `There is no token of a coding agent for ${origin} on this machine.`,
};

const recoveries: Record<TokenUse, string> = {
  terminal: 'Run `homeport login`, or set HOMEPORT_TOKEN.',
  agent: 'Make one under Programs of your profile and run `homeport login --agent`, or set HOMEPORT_TOKEN.',
};
