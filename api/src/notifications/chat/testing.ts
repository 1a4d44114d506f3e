import { randomUUID } from 'node:crypto';
import type { DestinationKind } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import type { NoticeEvent } from '@homeport/contract/notifications/events';
import type { Gate } from '@homeport/egress';
import { openGate, pushKeys, sealer } from '../../testing/way-of-news.ts';
import type { Delivered, Outgoing } from '../channel.ts';
import { createChannels } from '../channels.ts';
import { sealTarget } from '../seal-target.ts';
import { testNews, type Weighed, weighNews } from '../weigh-news.ts';

export const origin = 'https://console.example.com';
/** What a stranger may call a server: markup of every service, a call to everybody, a link, quotes. */
export const hostileName = '<b>*_[x](y)@everyone <!channel> `~|># &amp; <@U1> http://eve.example.net \\ "}';

const at = Date.parse('2026-11-22T10:13:00Z');
const server = { serverName: hostileName, serverKey: 'k3y' };

/** An incident has one id; both of its pieces of news have it. */
const incident = '5f0c1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e';
/** Where somebody says that they look into it. */
export const acknowledgePage = `${origin}/notifications?incident=${incident}`;
const news = (event: NoticeEvent) => weighNews(event, { thread: incident, at });
export const wentSilent = news({ event: 'server.went-silent', ...server, since: at });
export const cameBack = news({ event: 'server.came-back', ...server, since: at, until: at + 240_000 });

/** So many pieces of news with long names, as they leave together. */
export function manyNews(pieces: number): [Weighed, ...Weighed[]] {
  const piece = news({
    event: 'server.went-silent',
    serverName: `😀${hostileName}`.repeat(5),
    serverKey: 'k',
    since: at,
  });
  return [
    piece,
    ...Array.from({ length: pieces - 1 }, (_, n) => ({
      ...{ ...piece, incident: `another ${n}`, acknowledge: `/notifications?incident=${n}` },
    })),
  ];
}

export const hugeNews = news({
  ...{ event: 'app.went-down', appName: 'shop', longname: 'shop', ...server, since: at },
  ...{ url: `https://shop.example.com/${'a'.repeat(3_000)}`, reason: '😀'.repeat(9_000) },
});

export const test = testNews('0d5e1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e', at);

export type Message = {
  id?: string;
  news?: readonly [Weighed, ...Weighed[]];
  firstPosted?: string | null;
  reached?: string;
};

type At = {
  /** Where the service is; a target with an address of its own needs none. */
  url: string;
  message?: Message;
  /** The way to it. */
  gate?: Gate;
};

/** Delivers a message to a target as the console does. */
export async function deliverTo(target: Target, at: At): Promise<Delivered> {
  const [id, ownerId] = [randomUUID(), randomUUID()];
  const { sealed } = sealTarget(sealer, { ownerId, id }, target);
  return deliverSealed(target.kind, { id, ownerId, sealed }, at);
}

export async function deliverSealed(
  kind: DestinationKind,
  destination: Outgoing['destination'],
  { url, message = {}, gate = openGate }: At,
): Promise<Delivered> {
  const channels = createChannels({
    ...{ mailer: null, publicUrl: origin, sealer, gate, publicGate: gate, clock: () => at },
    pushKeys: async () => pushKeys,
    addressOf: () => url,
  });
  return channels[kind].deliver({
    ...{ id: message.id ?? randomUUID(), destination, earlier: [] },
    person: { name: 'Ada', address: 'ada@example.com', verified: true },
    ...{ news: message.news ?? [wentSilent], firstPosted: message.firstPosted ?? null },
    reached: message.reached ?? null,
  });
}
