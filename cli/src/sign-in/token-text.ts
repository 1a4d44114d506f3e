import { tokenCharacters, tokenPrefix } from '@homeport/contract/tokens/facts';
import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * Looks at a token before it is sent anywhere: another secret that somebody pasted by mistake stays here. No message repeats it.
 *
 * @throws CommandProblem
 */
export function checkedToken(text: string, where: string): string {
  const token = text.trim();
  const rest = token.slice(tokenPrefix.length);
  if (token.startsWith(tokenPrefix) && rest.length === tokenCharacters && /^[\w-]+$/.test(rest)) return token;
  throw new CommandProblem(exitCodes.usage, `${where} is not an API token of Homeport. Nothing was sent.`, {
    recovery: `A token begins with ${tokenPrefix}. Make one on the console's profile page, under Programs.`,
  });
}
