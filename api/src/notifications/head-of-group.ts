import { duration } from './duration.ts';
import type { Weighed } from './weigh-news.ts';

/** What several pieces of news of one server, or of one incident, say together. */
export type GroupHead = { heading: string; state: Weighed['state'] };

/** An incident of a group: whether the group tells of its beginning, and of its end. */
type Told = { isApp: boolean; name: string | null; began: boolean; ended: boolean };

/**
 * Null where the news is neither of one server nor of one incident, or a server went silent twice: such news left together because the hour
 * had no more room. A group is over when each of its incidents is. What is repeated says that nobody has acknowledged it.
 */
export function headOfGroup(news: readonly Weighed[]): GroupHead | null {
  const [first] = news;
  if (first && news.length > 1 && news.every(({ repeated }) => repeated))
    return { state: 'firing', heading: `${news.length} incidents go on, and nobody has acknowledged them` };
  if (!first || news.length < 2 || news.some(({ server }) => server?.key !== first.server?.key)) return null;
  return first.server ? ofServer(first.server, news) : ofIncident(first, news);
}

/** What became of an incident while its person had quiet hours. */
function ofIncident({ incident, topic, event, at }: Weighed, news: readonly Weighed[]): GroupHead | null {
  const last = news.at(-1);
  if (!last || news.some((piece) => piece.incident !== incident)) return null;
  const { state } = last;
  if (state !== 'resolved') return { state, heading: topic };
  const lasted = last.lasted ?? (event === 'disk.filled' ? last.at - at : null);
  return { state, heading: lasted === null ? `${topic}, over` : `${topic}, over after ${duration(lasted)}` };
}

function ofServer(server: NonNullable<Weighed['server']>, news: readonly Weighed[]): GroupHead | null {
  const times = (event: Weighed['event']) => news.filter((piece) => piece.event === event).length;
  if (times('server.went-silent') > 1 || times('server.came-back') > 1) return null;
  const { name } = server;
  const incidents = incidentsOf(news);
  const open = incidents.filter(({ ended }) => !ended);
  const over = incidents.filter(({ ended }) => ended);
  if (open.length === 0) return { state: 'resolved', heading: sayOver(name, over) };
  const isDown = sayOpen(name, open);
  return {
    state: 'firing',
    heading: over.length === 0 ? isDown : `${isDown}; ${sayBack(name, over)}`,
  };
}

function incidentsOf(news: readonly Weighed[]): Told[] {
  const told = new Map<string, Told>();
  for (const { incident, event, state, server } of news) {
    const isApp = event === 'app.went-down' || event === 'app.came-up';
    const before = told.get(incident) ?? { isApp, name: server?.app ?? null, began: false, ended: false };
    told.set(incident, {
      ...before,
      began: before.began || state === 'firing',
      ended: before.ended || state === 'resolved',
    });
  }
  return [...told.values()];
}

function sayOpen(name: string, incidents: readonly Told[]): string {
  const [silent, down] = count(incidents);
  if (silent === 0) return `${apps(down)} on ${name} ${are(down)} down`;
  return down === 0 ? `${name} is offline` : `${name} is offline, and ${apps(down)} on it ${are(down)} down`;
}

function sayBack(name: string, incidents: readonly Told[]): string {
  const [back, up] = count(incidents);
  if (back === 0) return `${apps(up)} on ${name} ${are(up)} up again`;
  return up === 0
    ? `${name} is online again`
    : `${name} is online again, and ${apps(up)} on it ${are(up)} up`;
}

/** What began and ended within one message was short. */
function sayOver(name: string, incidents: readonly Told[]): string {
  const [silent, down] = count(incidents);
  if (!incidents.every(({ began }) => began)) return sayBack(name, incidents);
  const [only] = incidents;
  const of = incidents.length === 1 && only?.name ? only.name : `${apps(down)} on ${name}`;
  const wereDown = `${of} ${down === 1 ? 'was' : 'were'} down and ${are(down)} up again`;
  if (silent === 0) return wereDown;
  const wasOffline = `${name} was offline and is online again`;
  return down === 0 ? wasOffline : `${wasOffline}; ${wereDown}`;
}

/** How many are of the server itself, and how many of its apps. */
function count(incidents: readonly Told[]): readonly [server: number, ofApps: number] {
  const ofApps = incidents.filter(({ isApp }) => isApp).length;
  return [incidents.length - ofApps, ofApps];
}

const apps = (total: number) => (total === 1 ? '1 app' : `${total} apps`);
const are = (total: number) => (total === 1 ? 'is' : 'are');
