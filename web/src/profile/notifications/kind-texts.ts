import type { AddedKind } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { slackAddressProblem } from '@homeport/contract/destinations/service-address';
import { webAddressProblem } from '@homeport/contract/destinations/web-address';

export interface TargetField {
  name: string;
  label: string;
  help: string;
  placeholder?: string;
  optional?: true;
  /** What is wrong with a text; null if nothing is. */
  problemOf?: (text: string) => string | null;
}

export interface KindTexts {
  label: string;
  /** What is needed, and where it is found. One line. */
  what: string;
  fields: readonly TargetField[];
  target: (values: Readonly<Record<string, string>>) => Target;
}

export const kindTexts: Record<AddedKind, KindTexts> = {
  webhook: {
    label: 'Webhook',
    what: 'The address of a program of yours, which gets each piece of news as signed JSON.',
    fields: [
      {
        name: 'url',
        label: 'Address',
        help: 'The web address that takes the messages. It is kept encrypted and not shown again.',
        placeholder: 'https://hooks.example.com/homeport',
        problemOf: webAddressProblem,
      },
    ],
    target: ({ url = '' }) => ({ kind: 'webhook', url }),
  },
  slack: {
    label: 'Slack',
    what: 'The address of an incoming webhook: in Slack under Apps, Incoming Webhooks, for one channel.',
    fields: [
      {
        name: 'url',
        label: 'Webhook address',
        help: 'Whoever knows it can write into the channel. It is kept encrypted and not shown again.',
        placeholder: 'https://hooks.slack.com/services/…',
        problemOf: slackAddressProblem,
      },
    ],
    target: ({ url = '' }) => ({ kind: 'slack', url }),
  },
};
