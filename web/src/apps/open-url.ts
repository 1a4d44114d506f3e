import type { App } from '@homeport/contract/apps/schema';
import { isWebAddress } from '../ui/button/web-address.ts';

/**
 * The app's web address. null while the app is stopped, not deployed yet, or its server reports no address.
 */
export const openUrl = ({ stopped, url }: Pick<App, 'stopped' | 'url'>): string | null =>
  !stopped && url !== null && isWebAddress(url) ? url : null;
