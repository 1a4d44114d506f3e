import type { ToldDestination } from '@homeport/contract/notifications/news-page';

/** Names in one sentence; further ones are counted. */
const namedAtMost = 3;

const sentences = [
  ['refused', (names: string) => `Not taken by ${names}.`],
  ['unsent', (names: string) => `Not sent to ${names}.`],
  ['waiting', (names: string) => `On its way to ${names}.`],
  ['gathering', (names: string) => `Not sent to ${names} yet.`],
  ['sent', (names: string) => `Sent to ${names}.`],
] as const satisfies readonly (readonly [ToldDestination['state'], (names: string) => string])[];

/** Where a piece of news went, what went wrong first: "Not taken by Team room. Sent to E-mail." */
export function toldInWords(told: readonly Pick<ToldDestination, 'name' | 'state'>[], muted = false): string {
  if (told.length === 0 && muted) return 'It was muted, and went nowhere.';
  if (told.length === 0)
    return 'It was sent nowhere: no destination was on, it was settled before a second one got it, or what was on is gone or switched off.';
  return sentences
    .flatMap(([state, say]) => {
      const names = told.filter((each) => each.state === state).map(({ name }) => name);
      return names.length === 0 ? [] : [say(inSentence(names))];
    })
    .join(' ');
}

function inSentence(names: readonly string[]): string {
  const shown = names.slice(0, namedAtMost);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
