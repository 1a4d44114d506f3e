import { webAddressProblem } from './web-address.ts';

// Why a text is not what a service needs; null if it is. Forms and the api ask the same.

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

const discordHosts = ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'];

export function discordAddressProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  const { protocol, host, pathname, searchParams } = new URL(text);
  const { id, token, isWhole } = discordWebhookOf(pathname);
  const isWebhook = protocol === 'https:' && discordHosts.includes(host) && isWhole;
  const thread = searchParams.get('thread_id');
  return isWebhook &&
    /^\d{1,20}$/.test(id) &&
    isPlain(token) &&
    (thread === null || /^\d{1,20}$/.test(thread))
    ? null
    : 'A webhook of Discord looks like https://discord.com/api/webhooks/123…/….';
}

/**
 * The parts of a webhook's path, with or without a version of the API. What may follow them, such as `/slack` and `/github`, takes other
 * bodies than the console's: then the path is not whole.
 */
export function discordWebhookOf(pathname: string): { id: string; token: string; isWhole: boolean } {
  const parts = pathname.split('/').slice(1);
  const [api, webhooks, id = '', token = '', ...others] = parts[1]?.startsWith('v')
    ? parts.toSpliced(1, 1)
    : parts;
  const isWhole = api === 'api' && webhooks === 'webhooks' && others.every((part) => part === '');
  return { id, token, isWhole };
}

const teamsHosts = ['.logic.azure.com', '.api.powerplatform.com', '.powerautomate.com'];

export function teamsAddressProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  const { protocol, hostname, searchParams } = new URL(text);
  if (hostname.endsWith('.webhook.office.com'))
    return 'Microsoft has switched these webhooks off. Make a workflow that begins with “When a Teams webhook request is received”.';
  return protocol === 'https:' && teamsHosts.some((end) => hostname.endsWith(end)) && searchParams.has('sig')
    ? null
    : 'The address of a workflow looks like https://….api.powerplatform.com/…&sig=….';
}

/** The address of a topic is the server and the topic's name. */
export function ntfyTopicProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  const { pathname, search } = new URL(text);
  return /^\/[-\w]{1,64}$/.test(pathname) && search === ''
    ? null
    : 'The address of a topic looks like https://ntfy.sh/my-topic.';
}

export function serverAddressProblem(text: string): string | null {
  const problem = webAddressProblem(text);
  if (problem !== null) return problem;
  return new URL(text).search === '' ? null : 'Leave out the part behind ?: the console adds its own.';
}

/** A token becomes part of a header: visible ASCII characters alone. */
export function tokenProblem(text: string): string | null {
  return /^[!-~]+$/.test(text) ? null : 'A token has no spaces and no letters with accents.';
}

export function pushoverKeyProblem(text: string): string | null {
  return /^[A-Za-z0-9]{30}$/.test(text) ? null : 'Keys and tokens of Pushover have 30 letters and digits.';
}

export function telegramTokenProblem(text: string): string | null {
  const [id = '', secret = '', ...others] = text.split(':');
  return /^\d{5,20}$/.test(id) && isPlain(secret) && secret.length >= 20 && others.length === 0
    ? null
    : 'The token of a bot looks like 110201543:AAH….';
}

export function pagerdutyKeyProblem(text: string): string | null {
  return /^[A-Za-z0-9]{32}$/.test(text) ? null : 'An integration key has 32 letters and digits.';
}

export function roomProblem(text: string): string | null {
  return /^![!-~]{1,254}$/.test(text)
    ? null
    : 'Enter the internal id of the room, which begins with !. Its name, which begins with #, can change.';
}

/** Letters, digits, `_` and `-`. */
const isPlain = (part: string) => /^[\w-]{1,200}$/.test(part);
