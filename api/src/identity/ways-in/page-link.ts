/** How long a link of a message works. */
export const linkSeconds = 3_600;

/**
 * The token stands behind the `#`, which browsers never send: it reaches no log, proxy or Referer header (RFC
 * 9110, 7.1).
 */
export function pageLink(origin: string, page: '/verify-email' | '/reset-password', token: string): string {
  return `${origin}${page}#token=${token}`;
}
