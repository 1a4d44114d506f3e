import { type AppState, appState } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { useMemo } from 'react';
import { useApi } from '../data/use-api.ts';
import { useNow } from '../ui/text/use-now.ts';

export interface AppStates {
  stateOf: (app: App) => AppState;
  now: number;
}

/** The state of each app, from its record and from the time of the last report that names it. */
export function useAppStates(): AppStates {
  const measured = useApi('GET /monitor/apps').data;
  const now = useNow(30_000);
  return useMemo(() => {
    const measuredAt = measured && new Map(measured.map((each) => [each.key, each.measuredAt]));
    return {
      now,
      stateOf: (app) => appState(app, measuredAt && (measuredAt.get(app.monitorId) ?? null), now),
    };
  }, [measured, now]);
}
