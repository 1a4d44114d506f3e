import { zonesFreshMs } from '@homeport/contract/domains/facts';
import { useEffect } from 'react';
import { useAct, useApi } from '../data/use-api.ts';
import { consoleTime } from '../ui/text/console-time.ts';

/**
 * The zones that the console keeps. Where they are older than five minutes, the page has the console ask Cloudflare once; the
 * console itself decides whether that is needed.
 */
export function useZones() {
  const zones = useApi('GET /api/zones');
  const refresh = useAct('POST /api/zones/refresh');
  const { linked, readAt } = zones.data ?? {};
  const { mutate } = refresh;
  useEffect(() => {
    if (linked && (readAt ?? 0) < consoleTime() - zonesFreshMs) mutate({ body: {} });
  }, [linked, readAt, mutate]);
  return { zones, refresh };
}
