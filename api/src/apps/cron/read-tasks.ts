import type { CronTasks } from '@homeport/contract/apps/cron/schema';
import { appName, clock, cron } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';

/** Reads the tasks of the last deploy’s app.json, and the zone of the clock that starts them. One start of Dokku. */
export async function readTasks({ app, run }: Pick<ReachedApp, 'app' | 'run'>): Promise<CronTasks> {
  const [listed, zone] = await Promise.all([
    run(cron.list(appName(app.longname)), { quiet: true, maxOutputBytes: cron.listBytes }),
    run(clock.readZone(), { accept: 'any', quiet: true, shown: 'read the server’s time zone' }),
  ]);
  const { tasks, more, allOff } = cron.readList(listed);
  return { tasks: [...tasks], more, allOff, timeZone: clock.zoneOf(zone) };
}
