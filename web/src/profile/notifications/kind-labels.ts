import type { AddedKind } from '@homeport/contract/destinations/facts';

/** What the kinds are called. Apart from their other texts, which no page needs before a dialog opens. */
export const kindLabels: Record<AddedKind, string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  ntfy: 'ntfy',
  telegram: 'Telegram',
  gotify: 'Gotify',
  pushover: 'Pushover',
  teams: 'Microsoft Teams',
  matrix: 'Matrix',
  pagerduty: 'PagerDuty',
  'web-push': 'Browser',
};
