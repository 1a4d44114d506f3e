import { canRunAgain, operationKinds, operationStates } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { describe, expect, test } from 'vitest';
import { looks } from './looks.ts';

const ended = (kind: Operation['kind'], state: Operation['state']) =>
  ({
    ...{ kind, state, longname: 'ledger', serverName: 'lantern', percent: 28, result: {} },
    steps: [{ key: 'other', title: 'now', state: state === 'failed' ? 'failed' : 'waiting' }],
  }) as unknown as Operation;

describe.each(operationKinds)('the window of %s', (kind) => {
  test.each(operationStates.filter(canRunAgain))('that is %s does not say that the work goes on', (state) => {
    const look = looks[kind];
    const title = look?.titleOf?.(ended(kind, state)) ?? '';
    const description = look?.descriptionOf?.(ended(kind, state)) ?? '';
    expect(title).not.toMatch(/ing(\.\.|\s\S+ on )/);
    expect(String(description)).not.toMatch(/stays until|work goes on/);
  });
});

test('the window of a database’s creation can be closed while an image is pulled', () => {
  expect(looks['database.create']?.locked ?? false).toBe(false);
});
