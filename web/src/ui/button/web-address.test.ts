import { expect, it } from 'vitest';
import { isWebAddress } from './web-address.ts';

it.each([
  ['https://a.example/x', true],
  ['http://a.example:8080', true],
  ['javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['blob:https://a.example/1', false],
  ['//a.example', false],
  ['a.example', false],
  ['', false],
])('links to %j: %s', (text, links) => {
  expect(isWebAddress(text)).toBe(links);
});
