/** Shown in every list of the frame. */
const frameKeys = ['GET /api/servers', 'GET /api/apps', 'GET /monitor/dumps'] as const;
const homeKeys = [...frameKeys, 'GET /api/keys'] as const;

export type FirstKey = (typeof homeKeys)[number];

/**
 * The first data of the page at an address, besides the session. The built document preloads the same routes
 * (documents.ts).
 */
export function firstKeys(path: string): readonly FirstKey[] {
  if (path === '/' || path === '/home') return homeKeys;
  return path === '/apps' || path === '/servers' ? frameKeys : [];
}
