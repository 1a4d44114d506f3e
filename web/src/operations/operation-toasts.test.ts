import { messages } from '@homeport/contract/messages';
import type { Operation } from '@homeport/contract/operations/schema';
import { beforeAll, expect, it } from 'vitest';
import { dismissToast, toastStore } from '../ui/feedback/toasts.ts';
import { expectedIds, expectToasts } from './expected-toasts.ts';
import { durationOf, showNewToasts } from './operation-toasts.ts';

const operation = (id: string, state: Operation['state'], ...texts: string[]) => ({
  id,
  kind: 'app.restart' as const,
  state,
  toasts: texts.map((text) => ({ tone: 'ok' as const, text })),
  problem: null,
});
const shown = () => toastStore.all().map(({ text }) => text);

// Another file of the same process may have shown some.
beforeAll(() => {
  for (const { id } of toastStore.all()) dismissToast(id);
});

it('shows each toast of an operation once, whichever stream brings it', () => {
  showNewToasts(operation('a', 'running', 'one'));
  showNewToasts(operation('a', 'running', 'one'));
  showNewToasts(operation('a', 'succeeded', 'one', 'two'));
  showNewToasts(operation('a', 'succeeded', 'one', 'two'));
  expect(shown()).toEqual(['one', 'two']);
});

it('shows nothing for an operation that was over before', () => {
  showNewToasts(operation('old', 'failed', 'long ago'));
  expect(shown()).not.toContain('long ago');
});

it('shows earlier toasts of an operation that was started here', () => {
  expectToasts('fast');
  expect(expectedIds()).toContain('fast');
  showNewToasts(operation('fast', 'succeeded', 'done already'));
  expect(shown()).toContain('done already');
  expect(expectedIds()).not.toContain('fast');
});

it('shows once why an operation failed, unless its own toast does', () => {
  const problem = {
    code: 'remote_failed',
    message: 'Dokku did not create the app.',
    recovery: 'Look.',
  } as const;
  showNewToasts(operation('f', 'running'));
  for (let i = 0; i < 2; i += 1) showNewToasts({ ...operation('f', 'failed'), problem });
  expect(shown().filter((text) => text === problem.message)).toHaveLength(1);

  showNewToasts(operation('g', 'running'));
  const own = [{ tone: 'bad' as const, text: messages.bootstrapFailed }];
  showNewToasts({ ...operation('g', 'failed'), toasts: own, problem });
  showNewToasts({ ...operation('over before', 'failed'), problem });
  expect(shown().filter((text) => text === problem.message)).toHaveLength(1);
  expect(shown()).toContain(messages.bootstrapFailed);
});

it('adds what the server said last', async () => {
  const remote = { command: 'dokku apps:create', account: 'homeport', exitCode: 1 };
  const outputTail = '-----> Creating\n !     No space left on device\n';
  const problem = {
    code: 'remote_failed',
    message: 'Dokku did not create the app.',
    recovery: 'Look.',
    remote: { ...remote, outputTail },
  } as const;
  showNewToasts(operation('said', 'running'));
  showNewToasts({ ...operation('said', 'failed'), problem });
  await expect
    .poll(shown)
    .toContain('Dokku did not create the app. The server said: No space left on device');
});

it('says a reason once that is the server’s own words already', async () => {
  const reason = `s3 refused the copy: ${'AccessDenied, '.repeat(20)}`.trim();
  const failed = (message: string) => ({
    code: 'remote_failed' as const,
    message,
    recovery: 'Look.',
    remote: {
      command: 'dokku homeport:backup',
      account: 'homeport',
      exitCode: 1,
      outputTail: ` !     ${reason}\n`,
    },
  });
  showNewToasts(operation('once', 'running'));
  showNewToasts({ ...operation('once', 'failed'), problem: failed(reason) });
  await expect.poll(shown).toContain(reason);
  showNewToasts(operation('both', 'running'));
  showNewToasts({ ...operation('both', 'failed'), problem: failed('No copy was made.') });
  await expect
    .poll(() => shown().at(-1))
    .toMatch(/^No copy was made\. The server said: s3 refused the copy: .*…$/);
});

it('keeps a toast as long as the specification says', () => {
  expect(durationOf('app.plan', messages.appPlanSelected)).toBe(12_000);
  expect(durationOf('app.plan', messages.appUpdated)).toBe(12_000);
  expect(durationOf('app.plan', messages.appRestarted)).toBe(5_000);
  expect(durationOf('app.restart', messages.appRestarted)).toBe(9_000);
  const creation = [
    messages.appCreated,
    messages.appPlanSelected,
    messages.domainAdded,
    messages.httpsEnabled,
  ];
  expect(creation.map((text) => durationOf('app.create', text))).toEqual([9_000, 9_000, 9_000, 9_000]);
});

it('gives each toast its time, and names the operation that it is about', () => {
  showNewToasts({ ...operation('plan', 'running', messages.appUpdated), kind: 'app.plan' });
  showNewToasts({ ...operation('creation', 'running', messages.appPlanSelected), kind: 'app.create' });
  expect(toastStore.recent().slice(0, 2)).toMatchObject([
    { text: messages.appPlanSelected, lifeMs: 9_000, operationId: 'creation' },
    { text: messages.appUpdated, lifeMs: 12_000, operationId: 'plan' },
  ]);
});
