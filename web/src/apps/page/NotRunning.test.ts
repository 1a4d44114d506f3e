import type { App } from '@homeport/contract/apps/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NotRunning } from './NotRunning.tsx';
import type { useAppActs } from './use-app-acts.ts';

const app = { stopped: true, crash: null } as App;
const markup = (refusal: string | null) => {
  const acts = { refusal, busy: false } as ReturnType<typeof useAppActs>;
  return renderToStaticMarkup(createElement(NotRunning, { app, acts }));
};

test('Start is disabled, with the reason, where the app cannot be started', () => {
  expect(markup(simulatedTexts.act)).toContain('aria-disabled="true"');
  expect(markup(simulatedTexts.act)).toContain(simulatedTexts.act);
  expect(markup(null)).not.toContain('aria-disabled');
});
