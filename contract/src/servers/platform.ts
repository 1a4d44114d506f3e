type Platform = {
  readonly setup: 'new' | 'installing' | 'failed' | 'ready';
  readonly dokkuVersion: string | null;
};

/**
 * Whether nothing can be created on a server because Dokku was not found there and not installed. An installation that stopped
 * after Dokku answered leaves a server that runs apps.
 */
export const lacksDokku = ({ setup, dokkuVersion }: Platform): boolean =>
  setup !== 'ready' && dokkuVersion === null;
