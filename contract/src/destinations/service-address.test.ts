import { expect, test } from 'vitest';
import { slackAddressProblem } from './service-address.ts';

test.each([
  [slackAddressProblem, 'https://hooks.slack.com/services/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'],
])('takes an address of the service', (problemOf, text) => {
  expect(problemOf(text)).toBeNull();
});

test.each([
  [slackAddressProblem, 'https://hooks.slack.com/workflows/T024BE7LD/B0123ABCD/x'],
  [slackAddressProblem, 'https://hooks.slack.com/services/T024BE7LD/B0123ABCD'],
  [slackAddressProblem, 'https://hooks.slack.com/services/T024BE7LD/B0123ABCD/..%2f'],
  [slackAddressProblem, 'https://hooks.slack.com.eve.example/services/T024BE7LD/B0123ABCD/x'],
  [slackAddressProblem, 'http://hooks.slack.com/services/T024BE7LD/B0123ABCD/x'],
])('refuses another address', (problemOf, text) => {
  expect(problemOf(text)).toMatch(/ looks like https:\/\//);
});
