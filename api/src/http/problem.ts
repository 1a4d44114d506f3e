import { type ErrorCode, errorCatalogue } from '@homeport/contract/problems/facts';
import type { Problem } from '@homeport/contract/problems/schema';

type Details = Partial<
  Pick<
    Problem,
    'fields' | 'remote' | 'fingerprints' | 'connection' | 'current' | 'retryAfterSeconds' | 'recovery'
  >
>;

/** A failure that its reader is told about: what happened, what was kept, what to do. Its status follows from its code. */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, details: Details = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProblemError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  toProblem(): Problem {
    return {
      code: this.code,
      message: this.message,
      recovery: errorCatalogue[this.code].recovery,
      ...this.details,
    };
  }
}

/** The one answer for a record that does not exist and for one that is somebody else’s. */
export const notFound = (what: string) => new ProblemError('not_found', `There is no such ${what}.`);
