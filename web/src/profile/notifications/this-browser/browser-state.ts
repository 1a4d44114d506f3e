import type { Destination } from '@homeport/contract/destinations/schema';
import type { Subscription } from './push-device.ts';

/**
 * What a destination is to the browser that shows it. `lost`: it was this browser, which has dropped its push address or has another one.
 * `other-key`: this browser takes messages of a key that the console no longer has.
 */
export type BrowserState = 'elsewhere' | 'here' | 'lost' | 'other-key';

export interface Known {
  subscription: Subscription | null;
  consoleKey: string | null;
  /** Destinations that were made in this browser. */
  remembered: readonly string[];
}

export function browserState(
  { id, device }: Pick<Destination, 'id' | 'device'>,
  { subscription, consoleKey, remembered }: Known,
): BrowserState {
  if (subscription !== null && subscription.device === device)
    return subscription.key === consoleKey ? 'here' : 'other-key';
  return remembered.includes(id) ? 'lost' : 'elsewhere';
}
