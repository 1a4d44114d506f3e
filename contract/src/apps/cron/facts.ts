/** How many tasks of an app the console shows. A repository writes them, so their number has no bound of its own. */
export const cronTasksShown = 100;

/** Longer commands and schedules are cut. */
export const cronCommandCharacters = 1_000;
export const cronScheduleCharacters = 120;

/** An id holds the app, the command and the schedule, so it is as long as they are. */
export const cronIdCharacters = 4_000;

/** The first Dokku that suspends a single task. Before, a schedule changes by a deploy alone. */
export const suspendSince = '0.37.0';
