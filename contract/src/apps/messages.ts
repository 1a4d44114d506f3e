/** The fixed texts on apps. `messages.ts` has them all. */
export const messages = {
  appCreated: 'App Created',
  appPlanSelected: 'App Plan Selected',
  appDestroyed: 'App Destroyed',
  appRestarted: 'App Restarted Successfully',
  appRebuilt: 'App Rebuilt Successfully',
  appStarted: 'App Started Successfully',
  appStopped: 'App Stopped Successfully',
  appConfigUpdated: 'App Config Updated',
  appUpdated: 'App Updated Successfully',
  appNotRunning: 'App is not running',
} as const;
