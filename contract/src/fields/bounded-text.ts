import { z } from 'zod';

/**
 * Text from outside, its length checked first: where the text is too long, no later check reads it. Without `abort`, zod
 * runs every check whatever the earlier ones said, so a pattern would read a text of any length. Formats of zod’s own are
 * added with `.check(z.email())`: `z.email().max(254)` would run the pattern before the bound.
 */
export function boundedText(most: number, message?: string) {
  return z.string().max(most, bound(message));
}

/** The same without the white space around it, which does not count. */
export function trimmedText(most: number, message?: string) {
  return z.string().trim().max(most, bound(message));
}

function bound(message: string | undefined) {
  return { abort: true, ...(message !== undefined && { error: message }) };
}
