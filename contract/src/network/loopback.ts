/** The address of the machine itself that the console uses where it chooses one. */
export const loopbackAddress = '127.0.0.1';

/**
 * Whether the text is an address of the machine itself: 127.0.0.0/8 or ::1. No name and no other spelling
 * counts.
 */
export function isLoopbackAddress(text: string): boolean {
  return text === '::1' || /^127(?:\.\d{1,3}){3}$/.test(text);
}

/**
 * The console's address for other machines. Null for a loopback address, which names the other machine there.
 */
export function reachableUrl(publicUrl: string): string | null {
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
  return isOwn ? null : publicUrl;
}
