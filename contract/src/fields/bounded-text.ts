import { z } from 'zod';

/**
 * Text from outside, whose length is checked first: no later check reads a text that is too long. Without
 * `abort`, zod runs every check whatever the earlier ones said, so a pattern would read a text of any length.
 * Add formats of zod’s own with `.check(z.email())`: `z.email().max(254)` would run the pattern before the
 * bound.
 */
export function boundedText(most: number, message?: string) {
  return z.string().max(most, bound(message));
}

/** The same, without the white space around the text, which does not count. */
export function trimmedText(most: number, message?: string) {
  return z.string().trim().max(most, bound(message));
}

function bound(message: string | undefined) {
  return { abort: true, ...(message !== undefined && { error: message }) };
}
