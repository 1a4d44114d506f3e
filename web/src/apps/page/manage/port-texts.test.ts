import { expect, test } from 'vitest';
import { isOnWebPort, leftPortSentences, portsInWords, portText } from './port-texts.ts';

test('says a mapping and ports in words', () => {
  expect(portText({ scheme: 'http', hostPort: 80, containerPort: 5000 })).toBe(
    'http on port 80, which leads to port 5000 of the app',
  );
  expect(portsInWords([5000])).toBe('port 5000');
  expect(portsInWords([80, 443, 5000])).toBe('ports 80, 443 and 5000');
});

test('an app on port 5000 alone is not where browsers ask first', () => {
  expect(isOnWebPort(['http:5000:5000'], null)).toBe(false);
  expect(isOnWebPort(['https:443:5000', 'http:80:5000'], null)).toBe(true);
});

test('names the app that the old address would show, and says when not all apps were asked', () => {
  expect(leftPortSentences({ taken: [], complete: true })).toEqual([]);
  expect(leftPortSentences({ taken: [{ port: 5000, by: 'beaver' }], complete: true })).toEqual([
    'The app beaver is the first on port 5000: the old address with :5000 shows beaver from then on.',
  ]);
  expect(leftPortSentences({ taken: [], complete: false })).toHaveLength(1);
});

test('the port that stands for port 80 in the demo’s sandbox counts as port 80', () => {
  expect(isOnWebPort(['http:44383:5000'], 44_383)).toBe(true);
  expect(isOnWebPort(['http:44383:5000'], null)).toBe(false);
  expect(isOnWebPort(['http:3000:3000'], 44_383)).toBe(false);
});
