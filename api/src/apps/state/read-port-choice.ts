import type { AppPorts } from '@homeport/contract/apps/settings-schema';
import { type AppName, appName, appNameSchema, apps } from '@homeport/dokku';
import type { AppRow } from '../../records/app-record.ts';
import type { ReachedApp } from '../reach-app.ts';
import { readPorts, webPorts } from './read-ports.ts';

/** How many apps without a record are asked for their addresses. Each answer costs the server half a second. */
const askedAtMost = 20;

/** The ports of an app, and which ports would show another app once this app has left them. */
export async function readPortChoice(
  { app, run }: Pick<ReachedApp, 'app' | 'run'>,
  known: readonly AppRow[],
): Promise<AppPorts> {
  const { inForce } = await readPorts(run, app.longname);
  const web = webPorts(inForce, { https: app.https, keep: false });
  const left = [...new Set(inForce.map(({ hostPort }) => hostPort))].filter(
    (port) => !web.some(({ hostPort }) => hostPort === port),
  );
  const answer: AppPorts = { now: [...inForce], web, taken: [], complete: true };
  if (left.length === 0) return answer;
  const names = apps.readList(await run(apps.list())).filter((name) => name !== app.longname);
  const recorded = new Map(
    known.filter((row) => row.server_id === app.server_id).map((row) => [row.longname, row]),
  );
  let asked = 0;
  // nginx takes the first app of a port by name (its files are included in that order).
  for (const name of names.toSorted()) {
    const checked = appNameSchema.safeParse(name);
    if (!checked.success) continue;
    const row = recorded.get(name);
    if (!row && asked === askedAtMost) return { ...answer, complete: false };
    if (!row) asked += 1;
    const on = row ? portsOf(row.url === null ? [] : [row.url]) : await askPorts(run, appName(name));
    for (const port of left)
      if (on.includes(port) && !answer.taken.some((each) => each.port === port))
        answer.taken.push({ port, by: name });
    if (answer.taken.length === left.length) break;
  }
  return answer;
}

async function askPorts(run: ReachedApp['run'], name: AppName): Promise<number[]> {
  const ran = await run(apps.urls(name), { accept: 'any' });
  return ran.exitCode === 0 ? portsOf(apps.readUrls(ran)) : [];
}

const portsOf = (urls: readonly string[]): number[] =>
  urls.map((url) => {
    const { port, protocol } = new URL(url);
    return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  });
