import { expect, it, vi } from 'vitest';
import { putQuestion, questionStore } from './questions.ts';

const server = { id: 's-1', name: 'lantern', ip: '192.0.2.1', port: 22 };
const put = (answer: (accept: boolean) => void) =>
  putQuestion({
    server,
    user: 'root',
    about: {
      status: 'host_key_question',
      fingerprint: 'SHA256:x',
      address: null,
      algorithm: 'ssh-ed25519',
      answer,
    },
  });

it('shows one question at a time, and removes the question with its answer', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  put(first);
  put(second);
  const shown = questionStore.first()?.about;
  if (shown?.status !== 'host_key_question') throw new Error('no question');
  shown.answer(true);
  expect(first).toHaveBeenCalledWith(true);
  expect(second).not.toHaveBeenCalled();
  const next = questionStore.first()?.about;
  if (next?.status !== 'host_key_question') throw new Error('no second question');
  next.answer(false);
  expect(second).toHaveBeenCalledWith(false);
  expect(questionStore.first()).toBeNull();
});

it('removes the question of an opening that has ended', () => {
  const withdraw = put(vi.fn());
  expect(questionStore.first()).not.toBeNull();
  withdraw();
  expect(questionStore.first()).toBeNull();
});
