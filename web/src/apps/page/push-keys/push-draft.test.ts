import type { PushKey, PushList } from '@homeport/contract/apps/push-keys/schema';
import { expect, test } from 'vitest';
import { changeOf, idOf, isChosen, untouched } from './push-draft.ts';
import { fixedReason, remarkOf, standText } from './push-texts.ts';

const key = (name: string | null, more: Partial<PushKey> = {}): PushKey => ({
  ...{ name, keyId: null, fingerprints: ['SHA256:x'], moreOfName: 0 },
  ...{ standing: 'named', listed: false, deploys: false, ...more },
});
const laptop = key('laptop', { listed: true, keyId: 'k1' });
const desk = key(null, { keyId: 'k2', standing: 'absent' });
const alice = key('alice');
const github = key('homeport-deploys-a', { deploys: true });
const listOf = (keys: PushKey[], more: Partial<PushList> = {}): PushList => ({
  ...{ hasLists: true, keys, more: 0, odd: 0, isTooLong: false, mayAdd: true },
  ...more,
});
const touched = (...of: [PushKey, boolean][]) => new Map(of.map(([each, may]) => [idOf(each), may]));

test('a draft sends the list that was shown, the names that stay and the keys that the server lacks', () => {
  const list = listOf([laptop, desk, alice]);
  expect(changeOf(list, untouched)).toEqual({ body: null, isEmpty: false });
  expect(changeOf(list, touched([laptop, false], [desk, true], [alice, true]))).toEqual({
    body: { from: ['laptop'], to: [{ key: 'alice', fingerprints: ['SHA256:x'] }], add: ['k2'] },
    isEmpty: false,
  });
  expect(changeOf(list, touched([alice, true], [alice, false])).body).toBeNull();
});

test('the last key cannot come off', () => {
  expect(changeOf(listOf([laptop, alice]), touched([laptop, false]))).toEqual({ body: null, isEmpty: true });
});

test('the key of GitHub’s pushes is chosen with the first one, and alone it is no change', () => {
  const list = listOf([alice, github]);
  expect(isChosen(list, github, untouched)).toBe(true);
  expect(changeOf(list, untouched).body).toBeNull();
  expect(changeOf(list, touched([alice, true])).body).toEqual({
    from: [],
    to: ['alice', 'homeport-deploys-a'].map((key) => ({ key, fingerprints: ['SHA256:x'] })),
    add: [],
  });
});

test('a list without the key of GitHub’s pushes can be mended', () => {
  expect(changeOf(listOf([laptop, github]), untouched).body).toEqual({
    from: ['laptop'],
    to: [
      { key: 'laptop', fingerprints: [] },
      { key: 'homeport-deploys-a', fingerprints: ['SHA256:x'] },
    ],
    add: [],
  });
});

test('on a server without lists only keys that it lacks are sent', () => {
  const list = listOf([key('laptop'), desk], { hasLists: false });
  expect(isChosen(list, key('laptop'), untouched)).toBe(true);
  expect(changeOf(list, touched([desk, true])).body).toEqual({ from: null, to: [], add: ['k2'] });
  expect(fixedReason(list, key('laptop'))).toBe('May push to every app of the server.');
  expect(standText(list)).toContain('every key there may push to every app');
});

test('what cannot be chosen says why', () => {
  const list = listOf([desk], { mayAdd: false });
  expect(fixedReason(list, desk)).toContain('needs root');
  expect(fixedReason(listOf([desk]), desk)).toBeNull();
  expect(fixedReason(list, github)).toContain('continuous deployment');
  expect(fixedReason(list, key(null, { standing: 'misnamed', keyId: 'k' }))).toContain('no command');
  expect(remarkOf(key('bob', { standing: 'keyless', fingerprints: [], listed: true }))).toBe(
    'The server has no key of this name.',
  );
  expect(remarkOf(key('bob', { fingerprints: ['SHA256:x', 'SHA256:y'] }))).toContain('both may push');
});

test('the sentence above says who may push now', () => {
  expect(standText(listOf([laptop]))).toBe('Only these keys may deploy the app by git push.');
  expect(standText(listOf([alice], { odd: 1 }))).toBe('Only these keys may deploy the app by git push.');
  expect(standText(listOf([alice, desk]))).toContain('every key of the server may push to it');
  expect(standText(listOf([desk]))).toContain('nobody may push');
});
