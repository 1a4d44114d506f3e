import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel, Outgoing } from '../channel.ts';
import { composeNews } from '../chat/compose-news.ts';
import { cutText } from '../chat/cut-text.ts';
import { withoutLinks } from '../chat/plain-text.ts';
import { headOfGroup } from '../head-of-group.ts';
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

/**
 * PagerDuty's Events API v2. One incident is one alert, and its end resolves the alert. A summary resolves what is over, and is one alert
 * for the rest. What is of one server is an alert for each incident, so that each resolves by itself. They leave one after another, and
 * another try goes on where this one ended: it would open again what somebody has closed meanwhile. Only a killed console forgets that.
 */
export function createPagerdutyChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 500 },
    deliver: ({ id, destination, news, reached }) =>
      withTarget(sealer, destination, pagerdutySecretSchema, async ({ key, region }) => {
        const url = new URL('/v2/enqueue', addressOf(region === 'eu' ? 'pagerdutyEu' : 'pagerduty'));
        const enqueue = async (event: Enqueued) => {
          const body = JSON.stringify({ routing_key: key, ...event });
          const posted = await postOnce(gate, { url, body }, destinationLimits.tryMs);
          return judgeAnswer(posted, 'PagerDuty', readPagerduty);
        };
        const [first, ...more] = leftOf(eventsOf(origin, { id, news }), reached);
        let [last, delivered] = [first, await enqueue(first)];
        for (const [at, event] of more.entries()) {
          if (delivered.outcome !== 'sent') break;
          if (at + 1 === eventsATry)
            return {
              outcome: 'failed',
              answer: 'More alerts follow.',
              ...{ retryAfterMs: 60_000, posted: last.dedup_key },
            };
          const next = await enqueue(event);
          if (next.outcome === 'failed') return { ...next, posted: last.dedup_key };
          [last, delivered] = [event, next];
        }
        return delivered;
      }),
  };
}

/** A console that ends waits for a try, and PagerDuty takes a limited number a minute. */
const eventsATry = 200;

type Enqueued = { event_action: 'trigger' | 'resolve'; dedup_key: string };
type Events = readonly [Enqueued, ...Enqueued[]];

/** What a message tells, each alert once: ends first, so that nothing is alerted anew while they cannot be told. */
function eventsOf(origin: string, { id, news }: Pick<Outgoing, 'id' | 'news'>): Events {
  const over = new Set(news.filter(({ state }) => state === 'resolved').map(({ incident }) => incident));
  const resolves = [...over].map((incident) => ({
    ...{ event_action: 'resolve' as const, dedup_key: incident },
  }));
  const [firing, ...more] = news.filter(({ incident }) => !over.has(incident));
  const alert = (pieces: Outgoing['news']) => writeAlert(origin, { id, news: pieces });
  const alerts =
    firing === undefined
      ? []
      : headOfGroup(news) === null
        ? [alert([firing, ...more])]
        : [...new Map([firing, ...more].map((piece) => [piece.incident, piece])).values()].map((piece) =>
            alert([piece]),
          );
  const [first, ...others] = [...resolves, ...alerts];
  return first === undefined ? [alert(news)] : [first, ...others];
}

/** What follows the event with this key; all where it is not among them, because news was removed. */
function leftOf(events: Events, reached: string | null): Events {
  const [first, ...others] = events.slice(events.findIndex(({ dedup_key: key }) => key === reached) + 1);
  return first === undefined ? events : [first, ...others];
}

const summaryCharacters = 1_024;

/** Its texts become links and mails at PagerDuty, so names are parted as for programs that find links in texts. */
function writeAlert(
  origin: string,
  { id, news }: Pick<Outgoing, 'id' | 'news'>,
): Enqueued & Record<string, unknown> {
  const { heading, lines, facts, severity } = composeNews(origin, news);
  const [first] = lines;
  const isSingle = news.length === 1;
  const parted = facts.map(([name, value]) => [name, withoutLinks(value)] as const);
  return {
    ...{ event_action: 'trigger' as const, dedup_key: isSingle ? news[0].incident : id },
    ...{ client: 'Homeport', client_url: origin },
    payload: {
      summary: cutText(withoutLinks(isSingle && first ? first.text : heading), summaryCharacters),
      ...{ source: new URL(origin).host, severity, timestamp: new Date(news[0].at).toISOString() },
      custom_details: isSingle
        ? Object.fromEntries(parted)
        : { news: lines.map(({ text }) => withoutLinks(text)) },
    },
    links: isSingle && first ? [{ href: first.url, text: 'See the page' }] : [],
  };
}

function readPagerduty({ status }: Answered): Meaning {
  return status === 400 ? { outcome: 'broken', why: 'the integration key is not right' } : {};
}
