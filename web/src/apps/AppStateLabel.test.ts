import { type AppState, appStateText } from '@homeport/contract/apps/health';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AppStateLabel } from './AppStateLabel.tsx';

const now = 1_795_000_000_000;
const states: AppState[] = [
  { kind: 'running' },
  { kind: 'silent', since: now - 12 * 60_000 },
  { kind: 'silent', since: null },
  { kind: 'crashed' },
  { kind: 'paused' },
  { kind: 'undeployed' },
  { kind: 'unread' },
  { kind: 'missing', since: now - 12 * 60_000 },
];

test.each(states)('the badge of %j has the words of the contract, and no others', (state) => {
  for (const boxed of [false, true]) {
    const markup = renderToStaticMarkup(createElement(AppStateLabel, { state, now, boxed }));
    expect(markup.replaceAll(/<[^<>]*>/g, '')).toBe(appStateText(state, now));
  }
});
