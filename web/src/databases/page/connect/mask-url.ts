/** Stands for a password, whatever its length. */
const dots = '••••••••';

/**
 * A connection string with dots in place of its password: what stands between the user, which may be empty, and the last `@`
 * of the authority (RFC 3986, 3.2.1). A string without a password stays as it is; what is no such string is hidden whole.
 */
export function maskUrl(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme < 1) return dots;
  const begin = scheme + '://'.length;
  const rest = url.slice(begin);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  // A password that was not encoded may hold what ends an authority. Then everything up to the last @ is hidden.
  const at = authority.includes('@') ? authority.lastIndexOf('@') : rest.lastIndexOf('@');
  if (at === -1) return url;
  const user = authority.slice(0, at).split(':')[0] ?? '';
  return `${url.slice(0, begin)}${user}:${dots}${rest.slice(at)}`;
}
