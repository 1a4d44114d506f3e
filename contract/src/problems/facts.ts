import { correctTheFields } from './correct-the-fields.ts';

/**
 * Every failure that crosses a wire, in one catalogue: its HTTP status, and how the caller recovers. A code
 * is never reused for another meaning. A message is written where the failure is raised, for the person who
 * reads it.
 */
export const errorCatalogue = {
  invalid_input: { status: 400, recovery: correctTheFields },
  not_signed_in: { status: 401, recovery: 'Sign in and try again.' },
  wrong_origin: { status: 403, recovery: 'Open the console at its own address.' },
  not_allowed: { status: 403, recovery: 'Ask the owner of this console.' },
  confirmation_required: {
    status: 403,
    recovery: 'Confirm with your password or a passkey (POST /api/session/confirm), then send this again.',
  },
  not_found: { status: 404, recovery: 'Check the address. The record may have been removed.' },
  stale_edit: { status: 409, recovery: 'Compare both versions, then keep one of them.' },
  conflict: { status: 409, recovery: 'Choose another value.' },
  busy: { status: 409, recovery: 'Wait for the running work, or cancel it.' },
  connection_required: {
    status: 409,
    recovery: 'Open a connection to the server from a page that holds its key.',
  },
  connection_lost: {
    status: 502,
    recovery: 'Connect again. The console then reads the state of the server again.',
  },
  host_key_changed: { status: 409, recovery: 'Compare the fingerprints before you accept the new key.' },
  remote_failed: { status: 502, recovery: 'Read the output of the command, fix the cause, and try again.' },
  remote_timeout: { status: 504, recovery: 'The console ended the command at its deadline. Try again.' },
  limit_reached: {
    status: 409,
    recovery: 'Remove what you no longer need. The operator of this console can raise the limit.',
  },
  too_large: { status: 413, recovery: 'Send a smaller request.' },
  too_many: { status: 429, recovery: 'Wait a little, then try again.' },
  unavailable: { status: 503, recovery: 'The console cannot do this now. Try again in a moment.' },
  internal: {
    status: 500,
    recovery: 'Check whether your change was saved. The console’s log has the details.',
  },
} as const satisfies Record<string, { status: number; recovery: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
