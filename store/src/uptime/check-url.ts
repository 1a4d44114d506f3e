/**
 * The address that a check asks for: the app's own, as its open link has it, at the chosen domain. It is worked out anew
 * each time, so that it follows the app's port and HTTPS.
 *
 * @param appUrl `apps.url`
 */
export function checkUrl(appUrl: string | null, https: boolean, domain: string, path: string): string {
  const own = appUrl !== null && URL.canParse(appUrl) ? new URL(appUrl) : null;
  const scheme = https || own?.protocol === 'https:' ? 'https:' : 'http:';
  const port = own?.port && own.protocol === scheme ? `:${own.port}` : '';
  return `${scheme}//${domain}${port}${path}`;
}
