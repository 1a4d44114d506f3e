import { setTimeout as pause } from 'node:timers/promises';
import type { PlaneMeans } from './plane-means.ts';
import { type Attack, anyOf } from './run-attacks.ts';
import { asksForSocket, beginVisit, headOf, visit } from './website-visitor.ts';

/** What is open by visitors stays so long, in which the attack goes on. */
const heldMs = 15_000;
/** What may be left behind in the attacker's own process. */
const triesAtMost = 4_000;

/**
 * What nobody reads waits in the kernel. On loopback the kernel that holds the attacker's end is the console's too, and beyond its bound for
 * all of TCP (`net.ipv4.tcp_mem`, 2.2 GiB on 24 GiB) it drops everybody's segments. So both attacks together stay below it.
 */
const downloads = 30;

/** Characters: what a pattern of the most instructions still takes, and nearly what any address may have. */
const [shortPath, longPath] = [260, 7_800];

/** Whom the front says that it asks for: 200 addresses, so that no share of one visitor ends an attack (RFC 5737). */
const anybody = () => `198.51.100.${1 + Math.floor(Math.random() * 200)}`;

/** What visitors of hostile accounts try, together with the websites behind the domains. */
export const attacksByVisitors: readonly Attack<PlaneMeans>[] = [
  {
    name: 'WebSockets that stay idle',
    ...{ everyMs: 10, width: 4, atMost: triesAtMost },
    once: async (means) => {
      const { status, socket } = await openSocket(means, anyOf([...means.own, ...means.mirrors]));
      if (status !== 101) socket.destroy();
      return status;
    },
  },
  {
    name: 'WebSockets that are left although the website stays',
    ...{ everyMs: 20, width: 4, atMost: triesAtMost },
    once: async (means) => {
      const { status, socket } = await openSocket(means, means.ofSecond);
      socket.destroy();
      return status;
    },
  },
  ...[
    { name: 'downloads that nobody reads', path: '/large', to: 'own' as const, width: downloads },
    { name: 'the same of somebody else’s website', path: '/large', to: 'mirrors' as const, width: downloads },
    { name: 'streams of events without an event', path: '/events', to: 'own' as const, width: 100 },
    { name: 'requests that the website does not answer', path: '/silent', to: 'own' as const, width: 100 },
    { name: 'the same at somebody else’s website', path: '/silent', to: 'mirrors' as const, width: 100 },
  ].map(
    ({ name, path, to, width }): Attack<PlaneMeans> => ({
      ...{ name, everyMs: 500, width },
      once: (means) => hold(means, headOf({ domain: anyOf(means[to]), path, from: anybody() })),
    }),
  ),
  {
    name: 'heads without an end',
    ...{ everyMs: 500, width: 50 },
    once: (means) =>
      hold(means, headOf({ domain: anyOf(means.own), path: '/', from: anybody() }).slice(0, -1)),
  },
  {
    name: 'bodies that do not come',
    ...{ everyMs: 500, width: 50 },
    once: (means) => {
      const asked = { domain: anyOf(means.own), path: '/', from: anybody() };
      return hold(means, ['POST /silent HTTP/1.1', ...headOf(asked, ['Content-Length: 9']).slice(1)]);
    },
  },
  {
    name: 'pages with 30,000 links to 250 rules',
    ...{ everyMs: 100, width: 2 },
    once: (means) => read(means, means.mounting.domain, '/mounted/links'),
  },
  {
    name: 'a tag with 100,000 attributes',
    ...{ everyMs: 100, width: 2 },
    once: (means) => read(means, means.mounting.domain, '/mounted/attributes'),
  },
  {
    name: 'the longest paths that a pattern takes, and longer ones',
    ...{ everyMs: 20, width: 4 },
    once: (means) =>
      read(
        means,
        means.patterns.domain,
        `/${anyOf(['a', 'ab', 'aab']).repeat(longPath)}`.slice(0, anyOf([shortPath, longPath])),
      ),
  },
  {
    name: 'a domain that leads to the console itself',
    ...{ everyMs: 200, width: 1 },
    once: (means) => read(means, means.inward, '/api/session'),
  },
];

const openSocket = ({ port, open, signal }: PlaneMeans, domain: string) =>
  beginVisit(port, headOf({ domain, path: '/socket', from: anybody() }, asksForSocket), {
    ...{ open, signal, withinMs: heldMs },
  });

/** Begins a visit and takes nothing more of it, for a while. */
async function hold({ port, open, signal }: PlaneMeans, lines: readonly string[]): Promise<number | string> {
  const until = performance.now() + heldMs;
  const { status, socket } = await beginVisit(port, lines, { open, signal, withinMs: heldMs });
  if (status === 200)
    await pause(Math.max(0, until - performance.now()), undefined, { signal }).catch(() => {});
  socket.destroy();
  return status;
}

async function read({ port, agent }: PlaneMeans, domain: string, path: string): Promise<number> {
  return (await visit({ port, domain, path, from: anybody() }, agent)).status;
}
