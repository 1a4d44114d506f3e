/** What every list of the frame shows. */
const frameKeys = ['GET /api/servers', 'GET /api/apps', 'GET /monitor/dumps'] as const;
const homeKeys = [...frameKeys, 'GET /api/keys'] as const;

export type FirstKey = (typeof homeKeys)[number];

/** What the page of an address reads first, besides the session. The build has its document ask for the same (documents.ts). */
export function firstKeys(path: string): readonly FirstKey[] {
  if (path === '/' || path === '/home') return homeKeys;
  return path === '/apps' || path === '/servers' ? frameKeys : [];
}
