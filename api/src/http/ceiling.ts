import { countOwned, type Owned, type OwnerWrite } from '@homeport/store';
import { ProblemError } from './problem.ts';

/** Throws `limit_reached` if the person has `most` already. Call this in the transaction that adds one. */
export async function refuseAbove(
  scope: Pick<OwnerWrite, 'owner' | 'db'>,
  kind: Owned,
  most: number,
): Promise<void> {
  if ((await countOwned(scope, kind)) >= most) throw limitReached(kind, most);
}

/** `what`: the plural noun that people use. */
export function limitReached(what: string, most: number, recovery?: string): ProblemError {
  return new ProblemError(
    'limit_reached',
    `You have ${most.toLocaleString('en')} ${what}, which is the most for one account. Nothing was added; what you have is kept.`,
    recovery === undefined ? {} : { recovery },
  );
}
