import type { LiveConsoleMessage } from '@homeport/contract/live/schema';

/** Longer than any event that the console sends. */
const longest = 8 * 1024 * 1024;

/**
 * Reads the contract's envelope by hand, because the validator would be half of what a signed-in page has to
 * load. The api checks an event's data before sending. undefined for anything that is not a message of this
 * protocol.
 */
export function readLiveMessage(text: unknown): LiveConsoleMessage | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { type, id } = value;
  if (type === 'beat') return { type };
  if (type === 'refused') return isProblem(value.problem) ? (value as LiveConsoleMessage) : undefined;
  if (!Number.isInteger(id)) return undefined;
  const sound =
    type === 'opened' ||
    type === 'end' ||
    (type === 'event' && isTextOrNull(value.eventId) && 'data' in value) ||
    (type === 'failed' && isProblem(value.problem)) ||
    (type === 'dropped' && isTextOrNull(value.resumeFrom));
  return sound ? (value as LiveConsoleMessage) : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
const isProblem = (value: unknown) =>
  isRecord(value) && [value.code, value.message, value.recovery].every((part) => typeof part === 'string');
