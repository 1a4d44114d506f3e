/** How many processes of one type the console starts. More belong behind a balancer, on more than one server. */
export const processesPerType = 20;

/** How many types one request scales. */
export const typesAtOnce = 20;

/** Dokku waits this long for each process that has no check of its own before it takes the next one. */
export const secondsPerProcess = 10;

/** Whether so many processes of a type may be wanted. Dokku takes a negative number, and takes the site down. */
export const isProcessCount = (count: number) =>
  Number.isInteger(count) && count >= 0 && count <= processesPerType;

export const processCountRefused = `Enter a whole number from 0 to ${processesPerType}.`;

/** When Docker starts a container again that ended. Dokku takes any number of tries. */
export const restartPolicies = ['on-failure:10', 'on-failure', 'unless-stopped', 'always', 'no'] as const;

/** The longest time that a process may take to end, in seconds: a deploy of a process that does not end holds its memory as long. */
const stopSecondsAtMost = 600;
export const isStopTime = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 1 && seconds <= stopSecondsAtMost;
export const stopTimeRefused = `Enter whole seconds from 1 to ${stopSecondsAtMost}.`;

/** A line `release:` of a Procfile is a task that each deploy runs once, and no process. */
export const isTask = (type: string) => type === 'release';
