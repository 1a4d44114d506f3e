import { appGoneText } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { type ClosedTexts, closedTexts } from '@homeport/contract/servers/closed';

/** Why this cannot be done on an app now. Null where the console can try. */
export function closedOnApp(
  app: Pick<App, 'missingSince'>,
  server: Parameters<typeof closedTexts>[0],
  thing: keyof ClosedTexts = 'act',
): string | null {
  return closedTexts(server)?.[thing] ?? (app.missingSince === null ? null : appGoneText);
}

/** Why the app’s links to databases cannot be changed. A link can be taken away without the app. */
export const closedForLinks = (...place: [Pick<App, 'missingSince'>, Parameters<typeof closedTexts>[0]]) => ({
  change: closedOnApp(...place),
  unlink: closedTexts(place[1])?.act ?? null,
});
