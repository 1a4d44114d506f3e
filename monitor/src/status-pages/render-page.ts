import { componentStateTexts, type IncidentState } from '@homeport/contract/status-pages/facts';
import type { ShownComponent, ShownPost, ShownStatusPage, StatusDay } from '@homeport/store';
import { escapeText } from './escape.ts';
import { paragraphs } from './paragraphs.ts';
import { goesOn, headlineOf, percentText, timeText, uptimePercent } from './say.ts';

const stateTexts: Record<IncidentState, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  watching: 'Watching',
  resolved: 'Resolved',
};

type Wording = {
  /** No post was left out. */
  whole: boolean;
  /** Where people sign in. No text leads there. */
  publicUrl: string;
  /** Without it the text is as it was while nothing but the time changed. */
  hasTime?: boolean;
  /** Nobody rendered it for a while. */
  isStale?: boolean;
};

const barsText = `A day of the last 90 is one bar, in UTC. The percentage counts the checks, or for a proxied domain the minutes in which
somebody asked it. Hours with planned maintenance do not count, and days with one over eight weeks ago count whole. Times without a check do not count.`;

/** The page without a script: its words, and a bar for each day. */
export function renderPage(
  page: ShownStatusPage,
  { whole, publicUrl, hasTime = true, isStale = false }: Wording,
): string {
  const { slug, title, components, posts, at } = page;
  const { state, text } = headlineOf(page);
  const open = posts.filter((post) => isOpen(post, at));
  const past = posts.filter((post) => !isOpen(post, at));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}: ${text}</title>
<link rel="stylesheet" href="/status/style.css">
<link rel="alternate" type="application/atom+xml" title="${escapeText(title)}" href="/status/${slug}/feed.atom">
</head>
<body>
<main>
<p class="quiet">Written by a user of this console. Never enter a password because of this page.</p>
<header>
<h1>${escapeText(title)}</h1>
<p class="overall ${state}"><span class="lamp"></span>${text}</p>${isStale ? `<p>Nothing was found out since ${time(at)}.</p>` : ''}
</header>
${section('Now and planned', open, publicUrl)}
${groupsOf(components)
  .map(([name, members]) => group(name, members))
  .join('\n')}
${section('Before', past, publicUrl)}
${whole ? '' : '<p class="quiet">Older entries are not shown.</p>'}
<footer>
<p>As of ${hasTime ? time(at) : ''}.${components.length > 0 ? ` ${barsText}` : ''}</p>
<p><a href="/status/${slug}/feed.atom">Feed</a> <a href="/status/${slug}/status.json">JSON</a> <a href="/status/${slug}/badge.svg">Badge</a></p>
</footer>
</main>
</body>
</html>
`;
}

function isOpen(post: ShownPost, now: number): boolean {
  return post.kind === 'maintenance' ? (post.endsAt ?? 0) > now : goesOn(post);
}

/** In the order in which each group comes first; what has no group stands before all. */
function groupsOf(components: readonly ShownComponent[]): [string, ShownComponent[]][] {
  const groups = new Map<string, ShownComponent[]>([['', []]]);
  for (const component of components)
    groups.set(component.group, [...(groups.get(component.group) ?? []), component]);
  return [...groups].filter(([, members]) => members.length > 0);
}

function group(name: string, members: readonly ShownComponent[]): string {
  const heading = name === '' ? '<h2 class="unseen">Components</h2>' : `<h2>${escapeText(name)}</h2>`;
  return `<section>${heading}<ul class="components">${members.map(component).join('')}</ul></section>`;
}

function component({ name, state, days }: ShownComponent): string {
  const percent = percentText(uptimePercent(days));
  const history =
    days.length === 0
      ? ''
      : `${bars(days, percent)}<div class="line quiet"><span>90 days ago</span><span>${percent}${percent === 'No data' ? '' : ' up'}</span><span>Today</span></div>`;
  return `<li><div class="line"><h3>${escapeText(name)}</h3><span class="state ${state}"><span class="lamp"></span>${componentStateTexts[state]}</span></div>${history}</li>`;
}

type BarKind = 'none' | 'good' | 'some' | 'bad' | 'planned';
/** Where a bar begins: how bad a day was shows without its colour, too. */
const tops: Record<BarKind, number> = { none: 24, planned: 14, good: 10, some: 5, bad: 0 };

/** Under 95 % a day is bad. */
function barKind({ up, down, planned }: StatusDay): BarKind {
  if (up + down === 0) return planned ? 'planned' : 'none';
  if (down === 0) return planned ? 'planned' : 'good';
  return up / (up + down) < 0.95 ? 'bad' : 'some';
}

function bars(days: readonly StatusDay[], percent: string): string {
  const paths = new Map<BarKind, string>();
  for (const [index, day] of days.entries()) {
    const kind = barKind(day);
    paths.set(kind, `${paths.get(kind) ?? ''}M${index * 4 + 2} ${tops[kind]}V28`);
  }
  const withOutage = days.filter(({ down }) => down > 0).length;
  const label = `Last ${days.length} days: ${percent === 'No data' ? 'no data' : `${percent} up, with failed checks on ${withOutage} ${withOutage === 1 ? 'day' : 'days'}`}`;
  const drawn = [...paths].map(([kind, path]) => `<path class="${kind}" d="${path}"/>`).join('');
  return `<svg class="bars" viewBox="0 0 ${days.length * 4} 28" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg>`;
}

function section(heading: string, posts: readonly ShownPost[], publicUrl: string): string {
  if (posts.length === 0) return '';
  return `<section><h2>${heading}</h2>${posts.map((post) => article(post, publicUrl)).join('')}</section>`;
}

function article({ kind, title, startsAt, endsAt, updates }: ShownPost, publicUrl: string): string {
  const isGoingOn = goesOn({ kind, updates });
  const planned =
    kind === 'maintenance' && startsAt !== null && endsAt !== null
      ? `<p class="quiet">Planned from ${time(startsAt)} to ${time(endsAt)}</p>`
      : '';
  return `<article${isGoingOn ? ' class="going-on"' : ''}><h3>${escapeText(title)}</h3>${planned}${updates.map((each) => update(each, publicUrl)).join('')}</article>`;
}

function update({ state, text, at }: ShownPost['updates'][number], publicUrl: string): string {
  const word = state === null ? '' : `<strong>${stateTexts[state]}</strong> `;
  return `<div class="update"><p class="quiet">${word}${time(at)}</p>${paragraphs(text, publicUrl)}</div>`;
}

const time = (at: number) => `<time datetime="${new Date(at).toISOString()}">${timeText(at)}</time>`;
