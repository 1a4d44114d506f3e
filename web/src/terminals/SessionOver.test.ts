import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SessionOver } from './SessionOver.tsx';

const markup = (why: string | null) =>
  renderToStaticMarkup(createElement(SessionOver, { why, onAgain: () => {} }));

test('the place for the end’s text is there before the end, so that a screen reader says the text', () => {
  expect(markup(null)).toContain('<span role="status"></span>');
  expect(markup(null)).not.toContain('button');
  expect(markup('its time was over.')).toContain(
    '<span role="status">The session ended: its time was over.</span>',
  );
  expect(markup('its time was over.')).toContain('New session');
});
