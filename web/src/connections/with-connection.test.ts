import { expect, it, vi } from 'vitest';
import { ApiProblem } from '../data/api-problem.ts';
import { declined, type ReadyState } from './opening-state.ts';
import { NoConnection, withConnection } from './with-connection.ts';

const ready: ReadyState = { status: 'ready', connectionId: 'c', expiresAt: 1, bootId: null };
const problem = (code: 'connection_required' | 'busy') =>
  new ApiProblem({ code, message: 'm', recovery: 'r' });

it('opens nothing for a call that succeeds', async () => {
  const open = vi.fn(async () => ready);
  expect(await withConnection(async () => 7, open)).toBe(7);
  expect(open).not.toHaveBeenCalled();
});

it('opens a connection and repeats the call once', async () => {
  const call = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(problem('connection_required'))
    .mockResolvedValue(7);
  expect(await withConnection(call, async () => ready)).toBe(7);
  expect(call).toHaveBeenCalledTimes(2);
});

it('does not try a third time', async () => {
  const call = vi.fn<() => Promise<number>>().mockRejectedValue(problem('connection_required'));
  await expect(withConnection(call, async () => ready)).rejects.toMatchObject({
    code: 'connection_required',
  });
  expect(call).toHaveBeenCalledTimes(2);
});

it('passes other failures through, and gives the reason when no connection was opened', async () => {
  const open = vi.fn(async () => declined());
  await expect(withConnection(() => Promise.reject(problem('busy')), open)).rejects.toMatchObject({
    code: 'busy',
  });
  expect(open).not.toHaveBeenCalled();
  const needing = () => Promise.reject(problem('connection_required'));
  await expect(withConnection(needing, open)).rejects.toBeInstanceOf(NoConnection);
});
