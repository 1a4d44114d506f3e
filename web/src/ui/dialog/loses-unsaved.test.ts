import { expect, test } from 'vitest';
import { losesUnsaved } from './loses-unsaved.ts';

const at = (address: string) => {
  const { pathname, search, hash } = new URL(address, 'https://console.example');
  return { pathname, search, hash };
};

test('another page loses what is unsaved', () => {
  expect(losesUnsaved(at('/app/lantern/shop'), at('/app/lantern/blog'))).toBe(true);
  expect(losesUnsaved(at('/app/lantern/shop'), at('/apps'))).toBe(true);
});

test('a section or a filter of the same page keeps what is unsaved', () => {
  expect(losesUnsaved(at('/app/lantern/shop'), at('/app/lantern/shop#environment'))).toBe(false);
  expect(losesUnsaved(at('/app/lantern/shop?tab=logs'), at('/app/lantern/shop'))).toBe(false);
});
