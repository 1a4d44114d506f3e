import { type ErrorCode, errorCatalogue } from '@homeport/contract/problems/facts';
import type { Problem } from '@homeport/contract/problems/schema';

type Details = Partial<
  Pick<
    Problem,
    'fields' | 'remote' | 'fingerprints' | 'connection' | 'current' | 'retryAfterSeconds' | 'recovery'
  >
>;

/**
 * A failure with a message for its reader: what happened, what was kept, what to do. The code decides the
 * status.
 */
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
      recovery: this.#usualRecovery(),
      ...this.details,
    };
  }

  /** A refusal that names no field must not send its reader to look for one. */
  #usualRecovery(): string {
    if (this.code === 'invalid_input' && Object.keys(this.details.fields ?? {}).length === 0)
      return 'Correct it and send it again.';
    return errorCatalogue[this.code].recovery;
  }
}

/** The same answer for a record that does not exist and for another person’s record. */
export const notFound = (what: string) => new ProblemError('not_found', `There is no such ${what}.`);

/** Input that does not fit, with a message beside its field. */
export const wrongField = (name: string, message: string) =>
  new ProblemError('invalid_input', message, { fields: { [name]: message } });
