import { webAddressProblem } from './web-address.ts';

/** Why a text is no incoming webhook of Slack; null if it is one. */
export function slackAddressProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  const { protocol, host, pathname } = new URL(text);
  const [, first, ...parts] = pathname.split('/');
  const isWebhook = protocol === 'https:' && host === 'hooks.slack.com' && first === 'services';
  return isWebhook && parts.length === 3 && parts.every(isPlain)
    ? null
    : 'A webhook of Slack looks like https://hooks.slack.com/services/T…/B…/….';
}

/** Letters, digits, `_` and `-`. */
const isPlain = (part: string) => /^[\w-]+$/.test(part);
