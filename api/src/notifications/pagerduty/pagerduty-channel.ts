import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { z } from 'zod';
import type { Channel, Delivered, Outgoing } from '../channel.ts';
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
 * PagerDuty's Events API v2. One incident is one alert, so a repeated try changes nothing, and its end resolves the alert. A summary
 * resolves what is over, and is one alert for the rest. What is of one server is an alert for each incident, so that each resolves by itself.
 */
export function createPagerdutyChannel({ sealer, gate, origin, addressOf }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 500 },
    deliver: ({ id, destination, news }) =>
      withTarget(sealer, destination, pagerdutySecretSchema, async ({ key, region }) => {
        const url = new URL('/v2/enqueue', addressOf(region === 'eu' ? 'pagerdutyEu' : 'pagerduty'));
        const enqueue = async (event: object) => {
          const body = JSON.stringify({ routing_key: key, ...event });
          const posted = await postOnce(gate, { url, body }, destinationLimits.tryMs);
          return judgeAnswer(posted, 'PagerDuty', readPagerduty);
        };
        const over = new Set(
          news.filter(({ state }) => state === 'resolved').map(({ incident }) => incident),
        );
        let resolved: Delivered | undefined;
        for (const incident of over) {
          resolved = await enqueue({ event_action: 'resolve', dedup_key: incident });
          if (resolved.outcome !== 'sent') return resolved;
        }
        const [first, ...others] = news.filter(({ incident }) => !over.has(incident));
        if (first === undefined) return resolved ?? enqueue(writeAlert(origin, { id, news }));
        const alone = headOfGroup(news) === null ? 0 : notificationRules.summaryLines;
        const [one, ...more] = apart([first, ...others], alone);
        let alerted = await enqueue(writeAlert(origin, { id, news: one }));
        for (const each of more) {
          if (alerted.outcome !== 'sent') return alerted;
          alerted = await enqueue(writeAlert(origin, { id, news: each }));
        }
        return alerted;
      }),
  };
}

type Pieces = Outgoing['news'];

/** The first pieces each alone, and the rest together. */
function apart([first, ...others]: Pieces, alone: number): [Pieces, ...Pieces[]] {
  if (alone === 0) return [[first, ...others]];
  const [next, ...later] = others;
  return next === undefined ? [[first]] : [[first], ...apart([next, ...later], alone - 1)];
}

const summaryCharacters = 1_024;

/** Its texts become links and mails at PagerDuty, so names are parted as for programs that find links in texts. */
function writeAlert(origin: string, { id, news }: Pick<Outgoing, 'id' | 'news'>) {
  const { heading, lines, facts, severity } = composeNews(origin, news);
  const [first] = lines;
  const isSingle = news.length === 1;
  const parted = facts.map(([name, value]) => [name, withoutLinks(value)] as const);
  return {
    ...{ event_action: 'trigger', dedup_key: isSingle ? news[0].incident : id },
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
