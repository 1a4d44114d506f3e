import { expect, test } from 'vitest';
import { websiteText } from './website-text.ts';

test.each([
  ['https://www.example.com/', 'www.example.com'],
  ['https://www.example.com/shop', 'www.example.com/shop'],
  ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
])('%s reads as %s', (url, text) => {
  expect(websiteText(url)).toBe(text);
});
