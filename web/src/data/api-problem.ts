import type { ErrorCode } from '@homeport/contract/problems/facts';
import type { Problem } from '@homeport/contract/problems/schema';

/** A refused or failed call, with the contract's code and message. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }

  get code(): ErrorCode {
    return this.problem.code;
  }
}

export function isProblem(error: unknown, code?: ErrorCode): error is ApiProblem {
  return error instanceof ApiProblem && (code === undefined || error.code === code);
}

/** Reads a failed answer. An answer in another shape (from a proxy in between) still gives its status. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  if (isProblemBody(body)) return new ApiProblem(body);
  return new ApiProblem({
    code: response.status === 401 ? 'not_signed_in' : response.status === 404 ? 'not_found' : 'unavailable',
    message: `The console answered with status ${response.status}.`,
    recovery: 'Try again in a moment.',
  });
}

export const unreachable = () =>
  new ApiProblem({
    code: 'unavailable',
    message: 'The console could not be reached.',
    recovery: 'Check that it is running, then try again.',
  });

function isProblemBody(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'recovery' in body
  );
}
