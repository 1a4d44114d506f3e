/** An address that names the machine itself: 127.0.0.0/8 and ::1. No name, and no other spelling. */
export function isLoopbackAddress(text: string): boolean {
  return text === '::1' || /^127(?:\.\d{1,3}){3}$/.test(text);
}

/** The console's address for other machines; null where it is a loopback one, which names the other machine there. */
export function reachableUrl(publicUrl: string): string | null {
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
  return isOwn ? null : publicUrl;
}

/** Whether an agent on the server can post to the console. Without a reachable address only one on the same machine can. */
export function canReport(serverIp: string, reachable: string | null): boolean {
  return reachable !== null || isLoopbackAddress(serverIp);
}
