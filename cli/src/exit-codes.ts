import type { ErrorCode } from '@homeport/contract/problems/facts';

/** How a command ends, for scripts. A number never gets another meaning. */
export const exitCodes = {
  good: 0,
  failed: 1,
  usage: 2,
  declined: 3,
  notAllowed: 4,
  refused: 5,
  waits: 6,
  conflict: 7,
  notFound: 8,
  hostKey: 9,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The end of a command that the api refused with this code. */
export const exitCodeOf: Record<ErrorCode, ExitCode> = {
  invalid_input: exitCodes.usage,
  too_large: exitCodes.usage,
  not_signed_in: exitCodes.notAllowed,
  not_allowed: exitCodes.notAllowed,
  wrong_origin: exitCodes.notAllowed,
  confirmation_required: exitCodes.waits,
  connection_required: exitCodes.waits,
  not_found: exitCodes.notFound,
  stale_edit: exitCodes.conflict,
  conflict: exitCodes.conflict,
  busy: exitCodes.conflict,
  limit_reached: exitCodes.conflict,
  too_many: exitCodes.conflict,
  connection_lost: exitCodes.refused,
  remote_failed: exitCodes.refused,
  remote_timeout: exitCodes.refused,
  host_key_changed: exitCodes.hostKey,
  unavailable: exitCodes.failed,
  internal: exitCodes.failed,
};
