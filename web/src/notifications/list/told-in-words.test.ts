import { expect, it } from 'vitest';
import { toldInWords } from './told-in-words.ts';

const sent = (name: string) => ({ name, state: 'sent' as const });

it('says first what went wrong', () => {
  const told = [sent('E-mail'), { name: 'Team room', state: 'refused' as const }, sent('Pager')];
  expect(toldInWords(told)).toBe('Not taken by Team room. Sent to E-mail and Pager.');
});

it('names three destinations and counts the others', () => {
  expect(toldInWords(['a', 'b', 'c'].map(sent))).toBe('Sent to a, b and c.');
  expect(toldInWords(['a', 'b', 'c', 'd', 'e'].map(sent))).toBe('Sent to a, b, c and 2 more.');
});

it('tells news that waits from news that no message holds yet, and from news for nobody', () => {
  expect(toldInWords([{ name: 'E-mail', state: 'gathering' }])).toBe('Not sent to E-mail yet.');
  expect(toldInWords([{ name: 'E-mail', state: 'waiting' }])).toBe('On its way to E-mail.');
  expect(toldInWords([{ name: 'E-mail', state: 'unsent' }])).toBe('Not sent to E-mail.');
  expect(toldInWords([])).toContain('sent nowhere');
  expect(toldInWords([], true)).toBe('It was muted, and went nowhere.');
});
