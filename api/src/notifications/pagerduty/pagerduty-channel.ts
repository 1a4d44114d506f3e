import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel, Outgoing } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { cutText } from '../chat/cut-text.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';

/** What is sealed: the integration key of a service at PagerDuty, and where its account is. */
const pagerdutySecretSchema = z.object({ key: z.string(), region: z.enum(['us', 'eu']) });

export function keepPagerduty({ key, region = 'us' }: Extract<Target, { kind: 'pagerduty' }>) {
  const kept: z.output<typeof pagerdutySecretSchema> = { key, region };
  return { shown: region === 'eu' ? 'events.eu.pagerduty.com' : 'events.pagerduty.com', kept };
}

/** PagerDuty's Events API v2. One incident is one alert, so a repeated try changes nothing, and its end resolves the alert. */
export function createPagerdutyChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 500 },
    deliver: (message) =>
      withTarget(sealer, message.destination, pagerdutySecretSchema, async ({ key, region }) => {
        const url = new URL('/v2/enqueue', addressOf(region === 'eu' ? 'pagerdutyEu' : 'pagerduty'));
        const body = JSON.stringify({ routing_key: key, ...writeEvent(origin, message) });
        return judgeAnswer(
          await postOnce(gate, { url, body }, destinationLimits.tryMs),
          'PagerDuty',
          readPagerduty,
        );
      }),
  };
}

const summaryCharacters = 1_024;

function writeEvent(origin: string, { id, news }: Pick<Outgoing, 'id' | 'news'>) {
  const { heading, lines, facts, severity, state } = composeNews(origin, news);
  const [first] = lines;
  const isSingle = news.length === 1;
  const key = { dedup_key: isSingle ? news[0].incident : id };
  if (state === 'resolved') return { event_action: 'resolve', ...key };
  return {
    ...{ event_action: 'trigger', ...key, client: 'Homeport', client_url: origin },
    payload: {
      summary: cutText(isSingle && first ? first.text : heading, summaryCharacters),
      ...{ source: new URL(origin).host, severity, timestamp: new Date(news[0].at).toISOString() },
      custom_details: isSingle ? Object.fromEntries(facts) : { news: lines.map(({ text }) => text) },
    },
    links: isSingle && first ? [{ href: first.url, text: 'See the page' }] : [],
  };
}

function readPagerduty({ status }: Answered): Meaning {
  return status === 400 ? { outcome: 'broken', why: 'the integration key is not right' } : {};
}
