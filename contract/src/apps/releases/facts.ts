/** So many versions of an app its server keeps, each of another commit (`dokku/plugin/post-deploy`). */
export const releasesKept = 3;
/** With less free disk for images than this, a deploy keeps no version of its app. */
export const releaseDiskBytes = 5 * 1024 ** 3;
/** About how long a process of a kept version takes until visitors reach it: what Dokku's own check waits, and the start. */
export const releaseStartSeconds = 15;
