import { post, read, send } from '../data/auth.ts';
import {
  type GithubVisit,
  githubReturn,
  keepGithubVisit,
  refusedAtGithub,
  takeGithubVisit,
} from '../data/github-visit.ts';
import { safeNext } from '../data/safe-next.ts';
import { doorHref, leaveFor, replaceAddress } from '../data/signed-out-address.ts';
import { toast } from '../ui/feedback/toasts.ts';

/** Opens the address at GitHub where the person agrees. Resolves with the reason where that fails, and otherwise leaves the page. */
export async function leaveForGithub(visit: GithubVisit): Promise<string | null> {
  const begun = post('sign-in/github/begin', {});
  const result = await read(begun.then((response) => response.clone()));
  if (!result.ok) return result.message;
  const answer: unknown = await (await begun).json();
  const url = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'url') : undefined;
  keepGithubVisit(visit);
  location.assign(typeof url === 'string' ? url : '/login');
  return null;
}

/**
 * Finishes the sign-in of a person whom GitHub leads back. `askForCode` opens the form of the second step, with the address to open after
 * it. Resolves with whether the sign-in form is left.
 */
export async function finishAtGithub(
  query: URLSearchParams,
  askForCode: (opens: string | undefined) => Promise<boolean>,
): Promise<boolean> {
  const back = githubReturn(query);
  if (!back) return false;
  const { next, invitation } = takeGithubVisit();
  // The code works once: the address without it can be loaded again.
  replaceAddress(doorHref('/login', next));
  if (back.kind === 'refused') {
    toast.bad(refusedAtGithub);
    return false;
  }
  const { code, state } = back;
  const result = await send('sign-in/github', { code, state, invitation });
  if (!result.ok) {
    toast.bad(result.message);
    return false;
  }
  if (result.secondStep) return askForCode(next);
  return leaveFor(safeNext(next) ?? '/home');
}
