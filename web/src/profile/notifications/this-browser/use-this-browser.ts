import type { Destination } from '@homeport/contract/destinations/schema';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../data/api-query.ts';
import { thisBrowserKey } from '../../../data/query-keys.ts';
import { type BrowserState, browserState } from './browser-state.ts';
import { readSubscription } from './push-device.ts';
import { readRemembered } from './remembered.ts';

/** The state of each destination that is a browser, by its id. Empty until this browser and the console have answered. */
export function useThisBrowser(
  destinations: readonly Destination[] | undefined,
): ReadonlyMap<string, BrowserState> {
  const browsers = destinations?.filter(({ kind }) => kind === 'web-push') ?? [];
  const enabled = browsers.length > 0;
  const key = useQuery({ ...apiQuery('GET /api/destinations/push-key'), enabled });
  const subscription = useQuery({
    ...{ queryKey: thisBrowserKey, queryFn: readSubscription, enabled },
    networkMode: 'always',
  });
  if (!key.data || subscription.data === undefined) return new Map();
  const known = { subscription: subscription.data, consoleKey: key.data.key, remembered: readRemembered() };
  return new Map(browsers.map((each) => [each.id, browserState(each, known)]));
}
