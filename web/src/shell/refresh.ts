import type { QueryClient } from '@tanstack/react-query';

/** Reads all data of the page again. */
export function refreshNow(client: QueryClient): void {
  void client.invalidateQueries({ type: 'active' });
}
