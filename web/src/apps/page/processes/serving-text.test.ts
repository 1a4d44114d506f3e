import { expect, test } from 'vitest';
import { servingText } from './serving-text.ts';

const container = (
  name: string,
  image: string,
  createdAt: number,
  sha: string | null,
  state = 'running',
) => ({
  name,
  state,
  createdAt,
  memoryBytes: null,
  restartPolicy: 'on-failure:10',
  version: { image, sha, title: sha === null ? null : `Change ${sha.charAt(0)}` },
});
const [newer, older] = ['a'.repeat(40), 'b'.repeat(40)];

test('says nothing while all containers run one image', () => {
  expect(
    servingText([container('web.1', 'x', 2, newer), container('worker.1', 'x', 1, newer)], true),
  ).toBeNull();
  expect(servingText([], true)).toBeNull();
});

test('names the version of each type after a deploy that failed half-way, the newer first', () => {
  const containers = [
    container('worker.1', 'old', 1, older),
    container('worker.2', 'old', 1, older),
    container('web.1', 'new', 2, newer),
    container('clock.1', 'older still', 0, null, 'exited'),
  ];
  expect(servingText(containers, true)).toBe(
    'The last deploy failed half-way: web runs aaaaaaa “Change a”, worker still runs bbbbbbb “Change b”.',
  );
});

test('says so without commits as well', () => {
  const containers = [container('worker.1', 'old', 1, null), container('web.1', 'new', 2, null)];
  expect(servingText(containers, false)).toBe(
    'Not all processes run the same version: web runs the newer version, worker still runs the one before.',
  );
});
