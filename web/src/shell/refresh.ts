import type { QueryClient } from '@tanstack/react-query';

/** Reads everything that the page shows once more. */
export function refreshNow(client: QueryClient): void {
  void client.invalidateQueries({ type: 'active' });
}
