import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { z } from 'zod';
import type { Channel } from '../channel.ts';
import { type Composed, composeNews } from '../chat/compose-news.ts';
import { chatTries, type HttpChannelDeps } from '../http/http-channel.ts';
import { type Answered, judgeAnswer, type Meaning } from '../http/judge-answer.ts';
import { postOnce } from '../http/post-once.ts';
import { withTarget } from '../http/with-target.ts';

/** What is sealed: the address of a workflow. `sig` in it is the secret. */
const teamsSecretSchema = z.object({ url: z.string() });

export function keepTeams({ url: text }: Extract<Target, { kind: 'teams' }>) {
  const { host, href } = new URL(text);
  return { shown: host, kept: { url: href } satisfies z.output<typeof teamsSecretSchema> };
}

/** A workflow that begins with "When a Teams webhook request is received". Its answer says only that it began. */
export function createTeamsChannel({ sealer, gate, origin }: HttpChannelDeps): Channel {
  return {
    ...{ tries: chatTries, paceMs: 1_000 },
    deliver: ({ destination, news }) =>
      withTarget(sealer, destination, teamsSecretSchema, async ({ url: text }) => {
        const url = new URL(text);
        const body = JSON.stringify(writeCard(composeNews(origin, news)));
        const delivered = judgeAnswer(
          await postOnce(gate, { url, body }, destinationLimits.tryMs),
          'The workflow',
          readTeams,
        );
        return delivered.outcome === 'sent'
          ? {
              ...delivered,
              answer: `${delivered.answer} Look in Teams to see whether the message arrived.`,
            }
          : delivered;
      }),
  };
}

/** Teams takes 28 KB; a card of more lines than these may be larger. */
const mostLines = 30;

/** Names stand in runs of a `RichTextBlock`, which reads no Markdown. */
function writeCard({ heading, lines, facts, more, state, severity, acknowledge }: Composed) {
  const [first] = lines;
  const isSingle = lines.length === 1;
  const shown = lines.slice(0, mostLines);
  const left = lines.length - shown.length + more;
  return {
    ...{ type: 'message', summary: heading },
    attachments: [
      {
        ...{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null },
        content: {
          ...{
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
          },
          body: [
            block([{ text: heading, weight: 'Bolder', size: 'Medium', color: colourOf(state, severity) }]),
            ...shown.map(({ text }) => block([{ text }])),
            ...facts.map(([name, value]) => block([{ text: `${name}: `, isSubtle: true }, { text: value }])),
            ...(left > 0 ? [block([{ text: `And ${left} more.` }])] : []),
          ],
          actions: [
            ...(isSingle && first ? [open('See the page', first.url)] : []),
            ...(acknowledge === null ? [] : [open('Acknowledge', acknowledge)]),
          ],
        },
      },
    ],
  };
}

const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });

type Run = { text: string; weight?: 'Bolder'; size?: 'Medium'; color?: string; isSubtle?: true };

const block = (runs: readonly Run[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

function colourOf(state: Composed['state'], severity: Composed['severity']): string {
  if (state === 'resolved') return 'Good';
  return { critical: 'Attention', warning: 'Warning', info: 'Default' }[severity];
}

function readTeams({ status }: Answered): Meaning {
  if (status === 401 || status === 403)
    return { outcome: 'broken', why: 'the address of the workflow is not right' };
  if (status === 404 || status === 410) return { outcome: 'broken', why: 'the workflow was removed' };
  return {};
}
