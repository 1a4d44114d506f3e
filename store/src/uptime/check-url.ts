/**
 * The address that a check requests: the app's own address, as in its open link, with the chosen domain. It is computed for each
 * check, so that it follows the app's port and HTTPS.
 *
 * @param appUrl `apps.url`
 */
export function checkUrl(appUrl: string | null, https: boolean, domain: string, path: string): string {
  const own = appUrl !== null && URL.canParse(appUrl) ? new URL(appUrl) : null;
  const scheme = https || own?.protocol === 'https:' ? 'https:' : 'http:';
  const port = own?.port && own.protocol === scheme ? `:${own.port}` : '';
  return `${scheme}//${domain}${port}${path}`;
}
