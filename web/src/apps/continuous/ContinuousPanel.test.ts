import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { apiQuery } from '../../data/api-query.ts';
import { shownAfterFailure } from '../../data/failed-again-fixture.ts';
import { ContinuousPanel } from './ContinuousPanel.tsx';

const app = { id: 'a', repository: { fullName: 'ines/ledger', branch: 'main' }, missingSince: null };
const server = { id: 's', simulated: false, credential: 'key', access: null };
const params = { id: 'a' };

const shownWith = (setUp: object | null) =>
  shownAfterFailure(
    [
      [apiQuery('GET /api/github').queryKey, { account: { linkAgain: false, canDeploy: true } }],
      [apiQuery('GET /api/apps/:id/continuous-deployment', { params }).queryKey, setUp],
      [apiQuery('GET /api/apps/:id/continuous-deployment/runs', { params }).queryKey, []],
    ],
    createElement(ContinuousPanel, {
      app: app as unknown as App,
      server: server as unknown as Server,
    }),
  );

test('the panel and its open dialog stay when the set-up cannot be read again', () => {
  expect(shownWith(null)).toContain('Each push to ines/ledger can deploy this app');
});

test('the runs stay when they cannot be read again, and the panel says how old they are', () => {
  const shown = shownWith({ repository: 'ines/ledger', branch: 'main', fingerprint: null, pullUrl: null });
  expect(shown).toContain('The workflow has not run yet.');
  expect(shown).toContain('The runs could not be loaded again.');
});
