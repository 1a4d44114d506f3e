/** Where to go after signing in: a path of this page only, so that a link cannot lead away from it. */
export function safeNext(wanted: string | undefined): string | undefined {
  if (!wanted?.startsWith('/') || wanted.startsWith('//') || wanted.includes('\\')) return undefined;
  return wanted === '/' || wanted === '/home' ? undefined : wanted;
}
