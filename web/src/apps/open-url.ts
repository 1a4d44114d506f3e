import type { App } from '@homeport/contract/apps/schema';
import { isWebAddress } from '../ui/button/web-address.ts';

/** Where the app answers; null while it is stopped, was never deployed, or its server reports no web address. */
export const openUrl = ({ stopped, url }: Pick<App, 'stopped' | 'url'>): string | null =>
  !stopped && url !== null && isWebAddress(url) ? url : null;
