import { creationTitle } from '@homeport/contract/operations/creation-title';
import {
  canRunAgain,
  isOver,
  type OperationKind,
  operationStates,
} from '@homeport/contract/operations/facts';
import { operationKinds } from '@homeport/contract/operations/kinds';
import type { Operation } from '@homeport/contract/operations/schema';
import { describe, expect, test } from 'vitest';
import { earlyEnd } from '../operations/early-end.ts';
import { platformOf } from '../servers/list/server-rows.ts';
import { setupLook } from '../servers/page/notices/setup-look.ts';
import { looks, offersCancel } from './looks.ts';

/** What ends, in the title of the window of each kind. Null: the operation's own title, which does not say that it goes on. */
const subjects: Record<OperationKind, string | null> = {
  'server.install': 'The installation',
  'server.add-dokku': 'The installation',
  'server.reinstall-agent': null,
  'server.update-account': null,
  'server.plugin': null,
  'server.global-domain': null,
  'server.follow-address': null,
  'server.remove': null,
  'server.import': null,
  'server.import-databases': null,
  'app.create': 'The creation of ledger',
  'app.start': null,
  'app.stop': null,
  'app.restart': null,
  'app.rebuild': null,
  'app.destroy': 'The destruction of ledger',
  'app.plan': null,
  'app.domain-add': null,
  'app.domain-remove': null,
  'app.https': null,
  'app.storage': null,
  'app.ports': null,
  'app.scale': null,
  'app.restart-process': null,
  'app.process-rules': null,
  'app.checks': null,
  'app.push-keys': null,
  'app.site': null,
  'app.run': null,
  'app.run-stop': null,
  'app.cron-suspend': null,
  'app.cron-resume': null,
  'app.cron-run': null,
  'app.remove-left-containers': null,
  'app.release-serve': null,
  'app.release-remove': null,
  'app.continuous': null,
  'app.continuous-remove': null,
  'app.deploy-commit': null,
  'app.go-back': null,
  'app.deploy-key-remove': null,
  'database.create': 'The creation of ledger',
  'database.remove-remains': null,
  'database.start': null,
  'database.stop': null,
  'database.restart': null,
  'database.link': null,
  'database.unlink': null,
  'database.promote': null,
  'database.expose': null,
  'database.unexpose': null,
  'database.delete': 'The deletion of ledger',
  'database.dump': null,
  'database.restore': null,
  'database.backup': null,
  'database.backup-client': null,
  'database.test': null,
};

const early = operationStates.filter(canRunAgain);

const ended = (kind: Operation['kind'], state: Operation['state'], steps: readonly object[]) =>
  ({
    kind,
    state,
    steps,
    longname: 'ledger',
    serverName: 'lantern',
    percent: 28,
    result: {},
  }) as unknown as Operation;

/** The steps of work that ended in a step, and of work that ended before or between two. */
const places = {
  'in a step': (state: Operation['state']) => [
    { key: 'other', title: 'now', state: state === 'failed' ? 'failed' : 'waiting' },
  ],
  'in a step that its vanished console left as running': (state: Operation['state']) => [
    { key: 'other', title: 'Installing Dokku', state: state === 'failed' ? 'failed' : 'running' },
  ],
  'between two steps': () => [{ key: 'other', title: 'now', state: 'waiting' }],
};

describe.each(operationKinds)('the window of %s', (kind) => {
  const look = looks[kind];
  describe.each(Object.entries(places))('that ended %s', (_place, stepsOf) => {
    test.each(early)('and is %s says how it ended, and not that the work goes on', (state) => {
      const operation = ended(kind, state, stepsOf(state));
      const title = look?.titleOf?.(operation) ?? null;
      const subject = subjects[kind];
      // A failed installation may say "The installation stopped", or which part failed.
      if (subject === null) expect(title).toBeNull();
      else if (subject === 'The installation' && state === 'failed') expect(title).toMatch(/stopped|failed/);
      else expect(title).toBe(`${subject} ${earlyEnd(state)}`);
      expect(String(look?.descriptionOf?.(operation) ?? '')).not.toMatch(/stays until|work goes on/);
      const label = look?.progressOf?.(operation).label ?? '';
      // The bar of a failed installation names the step that failed.
      if (state !== 'failed') expect(label).not.toMatch(/^Installing/);
    });
  });
});

test.each(['app.create', 'database.create'] as const)(
  'the finished window of %s has the name that was typed',
  (kind) => {
    const created = { ...ended(kind, 'succeeded', []), title: creationTitle('Tide tables') } as Operation;
    expect(looks[kind]?.titleOf?.(created)).toBe('Tide tables is created');
  },
);

test('the window of a finished dump says how large the dump is and where it lies', () => {
  const textOf = (result: object) =>
    looks['database.dump']?.descriptionOf?.({
      ...ended('database.dump', 'succeeded', []),
      result,
    } as Operation);
  expect(textOf({ bytes: 45_200_000 })).toBe(
    'The dump of ledger has 43.1 MB and lies on lantern. Its row in Backups downloads it.',
  );
  // An earlier console did not note the size.
  expect(textOf({})).toBeUndefined();
});

test('the window of a finished creation says what it deployed', () => {
  const textOf = (begun: string | null) =>
    looks['app.create']?.descriptionOf?.({
      ...ended('app.create', 'succeeded', []),
      result: { begun },
    } as Operation);
  expect(textOf(null)).toBe('Deploy to it with git.');
  expect(textOf('starter')).toBe('It runs already. Change its files with git.');
  expect(textOf('repository')).toBe('It runs already. Its page sets up a deploy of each push.');
});

test('only the window of an app’s creation waits for the end of its work', () => {
  // The specification demands this one. Every window closes, and offers to run the work again, once the work is over.
  expect(operationKinds.filter((kind) => looks[kind]?.locked)).toEqual(['app.create']);
  expect(early.every(isOver)).toBe(true);
});

test.each(early)('the page of a server whose installation is %s offers another try', (state) => {
  const operation = ended('server.install', state, []);
  expect(setupLook([operation])).toEqual({ underWay: null, again: operation });
});

test('the list offers another try where the store settled an installation that ended early', () => {
  const server = { setup: 'failed', metal: false, simulated: false, credential: 'password' } as const;
  expect(platformOf({ server })).toBe('Installation failed');
});

test('a server whose installation is over and forgotten is offered a new one', () => {
  expect(setupLook([ended('server.plugin', 'failed', [])])).toEqual({ underWay: null, again: null });
});

test('a server whose installation waits for a browser is being set up', () => {
  const operation = ended('server.install', 'waiting', []);
  expect(setupLook([operation])).toEqual({ underWay: operation, again: null });
});

test('the window of an app’s creation offers Cancel after a minute, that of a command always, and no other that can be closed does', () => {
  const running = (kind: OperationKind) => ({ kind, state: 'running' as const, startedAt: 1_000 });
  expect(offersCancel(running('app.create'), 60_999)).toBe(false);
  expect(offersCancel(running('app.create'), 61_000)).toBe(true);
  expect(offersCancel({ ...running('app.create'), state: 'succeeded' }, 61_000)).toBe(false);
  expect(operationKinds.filter((kind) => offersCancel(running(kind), 61_000))).toEqual([
    'app.create',
    'app.run',
  ]);
  expect(offersCancel(running('app.run'), 1_000)).toBe(true);
  expect(offersCancel({ ...running('app.run'), state: 'succeeded' }, 61_000)).toBe(false);
  expect(offersCancel({ ...running('app.plan'), state: 'waiting' }, 2_000)).toBe(true);
});
