/**
 * The processor time that one start of Dokku takes on a real server, in seconds, user and system together: measured with Dokku
 * 0.38.27 on two cores. A report starts a program for each of its fields, so a single field is cheaper than all.
 */
const measured: Readonly<Record<string, number>> = {
  'apps:list': 0.2,
  'apps:list --format': 0.26,
  'apps:report': 0.27,
  'builds:list': 0.21,
  'checks:report': 0.29,
  'config:export': 0.29,
  'domains:report': 0.41,
  'git:report': 0.3,
  'homeport:state': 0.28,
  'letsencrypt:active': 0.35,
  // Not measured; like the other reports.
  'nginx:report': 0.3,
  'ports:list': 0.21,
  'ports:report': 2.1,
  'ports:report --ports-map': 0.29,
  // Not measured; one field, like the one before.
  'ports:report --ports-map-detected': 0.29,
  'proxy:report': 0.32,
  'ps:inspect': 0.8,
  'ps:report': 2.4,
  'ps:report --deployed': 0.33,
  'ps:report --restore': 0.3,
  'ps:report --running': 1,
  'resource:report': 0.29,
  'storage:list': 0.28,
  urls: 0.5,
};

/** What every start takes before anything is asked. Stands for commands that nobody measured. */
const least = 0.2;

export function cpuSecondsOf(command: string, words: readonly string[]): number {
  const flag = words.find((word) => word.startsWith('--') && word !== '--quiet' && word !== '--force');
  return measured[`${command} ${flag}`] ?? measured[command] ?? least;
}
