import { expect, test } from 'vitest';
import { mayTakeFocus } from './focus.ts';

const element = (localName: string) => ({ localName }) as Element;

test('a terminal that opens takes the focus from nothing, its own dock and what opened it, and from no field', () => {
  const [body, inDock, opener, field] = ['body', 'button', 'button', 'input'].map(element);
  const dock = { contains: (other: Node | null) => other === inDock };
  const may = (active: Element | undefined | null) =>
    mayTakeFocus({ active: active ?? null, dock, opener: opener ?? null });
  expect([null, body, inDock, opener].map(may)).toEqual([true, true, true, true]);
  expect([field, element('button')].map(may)).toEqual([false, false]);
});
