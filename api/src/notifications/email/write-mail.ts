import { notificationRules } from '@homeport/contract/notifications/kinds';
import type { Message } from '../../mail/message.ts';
import type { Outgoing } from '../channel.ts';
import { headOfGroup } from '../head-of-group.ts';
import { acknowledgeAt } from '../incidents/acknowledge-at.ts';
import { moment } from '../moment.ts';
import type { Weighed } from '../weigh-news.ts';

type Told = Pick<Outgoing, 'id' | 'person' | 'earlier'> & { news: readonly [Weighed, ...Weighed[]] };

/** @param origin the console's origin */
export function writeMail(origin: string, message: Told): Message {
  const { id, person, news, earlier } = message;
  return {
    to: person.address,
    thread: { id, earlier },
    ...(news.length === 1
      ? writeOne(origin, person.name, news[0], earlier.length > 0)
      : writeSummary(origin, person.name, news, earlier.length > 0)),
  };
}

type Written = Pick<Message, 'subject' | 'text'>;

/** Mail programs also want the same subject to show a thread. */
function writeOne(
  origin: string,
  name: string,
  { topic, text, details, page, acknowledge, switches, fewer }: Weighed,
  follows: boolean,
): Written {
  const width = Math.max(...details.map(([label]) => label.length)) + 2;
  const lines = details.map(
    ([label, value]) => `${`${label}:`.padEnd(width)}${typeof value === 'number' ? moment(value) : value}`,
  );
  return {
    subject: follows ? `Re: ${topic}` : topic,
    text: `Hello ${name},

${text}

${lines.join('\n')}

See the page: ${origin}${page}${acknowledge === null ? '' : `\nAcknowledge:  ${origin}${acknowledge}`}

${
  fewer ??
  `To get fewer messages, use the switches under Notifications on ${switches ? 'the page of its server' : 'that page'}:
${origin}${switches ?? page}#notifications`
}
`,
  };
}

/** Several pieces of one incident may follow an earlier message of it. */
function writeSummary(
  origin: string,
  name: string,
  news: readonly [Weighed, ...Weighed[]],
  follows: boolean,
): Written {
  const shown = news.slice(0, notificationRules.summaryLines);
  const more = news.length - shown.length;
  const group = headOfGroup(news);
  const act = acknowledgeAt(news);
  return {
    subject: follows ? `Re: ${news[0].topic}` : (group?.heading ?? `${news.length} pieces of news`),
    text: `Hello ${name},

${
  group
    ? `${group.heading}:`
    : 'there was more news than the console sends you one by one within an hour. This message lists the rest:'
}

${shown.map(({ text, page }) => `- ${text}\n  ${origin}${page}`).join('\n')}
${more > 0 ? `\nand ${more} more.\n` : ''}${act === null ? '' : `\nAcknowledge: ${origin}${act}\n`}
To get fewer messages, use the switches under Notifications on each of these pages.
`,
  };
}
