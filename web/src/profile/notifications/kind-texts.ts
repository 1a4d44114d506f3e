import type { AddedKind } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import {
  discordAddressProblem,
  ntfyTopicProblem,
  pagerdutyKeyProblem,
  pushoverKeyProblem,
  roomProblem,
  serverAddressProblem,
  slackAddressProblem,
  teamsAddressProblem,
  telegramTokenProblem,
  tokenProblem,
} from '@homeport/contract/destinations/service-address';
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
  /** What is needed, and where it is found. One line. */
  what: string;
  fields: readonly TargetField[];
  target: (values: Readonly<Record<string, string>>) => Target;
}

export const kindTexts: Record<AddedKind, KindTexts> = {
  webhook: {
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
  discord: {
    what: 'The address of a webhook: in Discord in the channel’s settings under Integrations, Webhooks.',
    fields: [
      {
        name: 'url',
        label: 'Webhook address',
        help: 'For a thread add ?thread_id= and its id. It is kept encrypted and not shown again.',
        placeholder: 'https://discord.com/api/webhooks/…',
        problemOf: discordAddressProblem,
      },
    ],
    target: ({ url = '' }) => ({ kind: 'discord', url }),
  },
  ntfy: {
    what: 'A topic of ntfy.sh or of your own server, and an access token where the topic asks for one.',
    fields: [
      {
        name: 'url',
        label: 'Address of the topic',
        help: 'On ntfy.sh whoever knows the topic can read it: take a long random name.',
        placeholder: 'https://ntfy.sh/my-topic',
        problemOf: ntfyTopicProblem,
      },
      {
        name: 'token',
        label: 'Access token',
        help: 'In ntfy under Account, Access tokens.',
        optional: true,
        problemOf: tokenProblem,
      },
    ],
    target: ({ url = '', token = '' }) => ({ kind: 'ntfy', url, ...(token !== '' && { token }) }),
  },
  telegram: {
    what: 'The token of a bot, which @BotFather makes for you in a minute. Then you open a link in the chat.',
    fields: [
      {
        name: 'token',
        label: 'Token of the bot',
        help: 'Write /newbot to @BotFather. It is kept encrypted and not shown again.',
        placeholder: '110201543:AAH…',
        problemOf: telegramTokenProblem,
      },
    ],
    target: ({ token = '' }) => ({ kind: 'telegram', token }),
  },
  gotify: {
    what: 'The address of your server, and the token of an application: in Gotify under Apps.',
    fields: [
      {
        name: 'url',
        label: 'Address of the server',
        help: 'As you open it in a browser.',
        placeholder: 'https://gotify.example.com',
        problemOf: serverAddressProblem,
      },
      {
        name: 'token',
        label: 'Token of the application',
        help: 'It is kept encrypted and not shown again.',
        problemOf: tokenProblem,
      },
    ],
    target: ({ url = '', token = '' }) => ({ kind: 'gotify', url, token }),
  },
  pushover: {
    what: 'Your user key, and the token of an application: both on pushover.net after you sign in.',
    fields: [
      {
        name: 'user',
        label: 'User or group key',
        help: 'At the top of pushover.net.',
        problemOf: pushoverKeyProblem,
      },
      {
        name: 'token',
        label: 'API token',
        help: 'Of an application that you create there. Both are kept encrypted.',
        problemOf: pushoverKeyProblem,
      },
    ],
    target: ({ user = '', token = '' }) => ({ kind: 'pushover', user, token }),
  },
  teams: {
    what: 'The address of a workflow: in Teams at the channel under Workflows, “Send webhook alerts to a channel”.',
    fields: [
      {
        name: 'url',
        label: 'Address of the workflow',
        help: 'Whoever knows it can write into the channel. It is kept encrypted and not shown again.',
        placeholder: 'https://….api.powerplatform.com/…',
        problemOf: teamsAddressProblem,
      },
    ],
    target: ({ url = '' }) => ({ kind: 'teams', url }),
  },
  matrix: {
    what: 'A room without encryption, and the access token of an account that is in the room.',
    fields: [
      {
        name: 'url',
        label: 'Address of the homeserver',
        help: 'In Element in the settings under Help & About.',
        placeholder: 'https://matrix.example.com',
        problemOf: serverAddressProblem,
      },
      {
        name: 'room',
        label: 'Room id',
        help: 'In Element in the room’s settings under Advanced, Internal room ID.',
        placeholder: '!abc:example.com',
        problemOf: roomProblem,
      },
      {
        name: 'token',
        label: 'Access token',
        help: 'In Element under Help & About. It is kept encrypted and not shown again.',
        problemOf: tokenProblem,
      },
    ],
    target: ({ url = '', room = '', token = '' }) => ({ kind: 'matrix', url, room, token }),
  },
  pagerduty: {
    what: 'An integration key: at a service of PagerDuty under Integrations, Events API V2.',
    fields: [
      {
        name: 'key',
        label: 'Integration key',
        help: 'It is kept encrypted and not shown again.',
        problemOf: pagerdutyKeyProblem,
      },
      {
        name: 'region',
        label: 'Region',
        help: 'Enter eu where you sign in at app.eu.pagerduty.com.',
        placeholder: 'us',
        optional: true,
        problemOf: (text) => (text === 'us' || text === 'eu' ? null : 'Enter us or eu.'),
      },
    ],
    target: ({ key = '', region }) => ({
      kind: 'pagerduty',
      key,
      ...((region === 'us' || region === 'eu') && { region }),
    }),
  },
  'web-push': {
    what: 'Notifications of this device, also while the console is not open. Nothing is to be typed.',
    // The browser says them.
    fields: [],
    target: ({ endpoint = '', p256dh = '', auth = '' }) => ({ kind: 'web-push', endpoint, p256dh, auth }),
  },
};
