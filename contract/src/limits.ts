/** Times in milliseconds unless the name says otherwise. All of them are fixed by the specification or by product decisions. */
export const refreshEveryMs = 60_000;
export const serverStatsEveryMs = 180_000;
export const reportEverySeconds = 180;
/** Stats older than this make a server Offline, and an app not running. */
export const staleAfterMs = 300_000;
export const overlayAtMostMs = 6_000;
export const chartPoints = 20;
export const usageWarningPercent = 80;
export const usageDangerPercent = 90;
export const installDialogClosesAfterMs = 12_000;
export const readmeCharacters = 1_000;
export const storageCapGb = 15;

export const toastMs = { action: 9_000, planUpdate: 12_000, restartAfterPlan: 5_000, noKeys: 8_400 } as const;
export const noKeysRedirectMs = 3_600;

export const connectionIdleMs = 5 * 60_000;
export const connectionAgeMs = 60 * 60_000;
export const channelsPerConnection = 8;
export const openingsPerMinute = 6;

export const invitationDays = 7;
export const invitationsPerHour = 20;

/** A usage bar's colour band: under 80 info, under 90 warning, else danger. */
export function usageBand(percent: number): 'info' | 'warning' | 'danger' {
  if (percent >= usageDangerPercent) return 'danger';
  return percent >= usageWarningPercent ? 'warning' : 'info';
}
