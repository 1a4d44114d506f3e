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
