import { terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';
import { expect, test, vi } from 'vitest';
import { createInbox } from './inbox.ts';

test('keys reach the server in their order, and what it took is told', async () => {
  const [written, taken]: [string[], number[]] = [[], []];
  const inbox = createInbox(
    async (bytes) => {
      written.push(bytes.toString());
    },
    { onTaken: (bytes) => taken.push(bytes), onFlood: () => taken.push(-1) },
  );
  for (const text of ['ls', ' -l', '\n']) inbox.put(Buffer.from(text));
  await vi.waitFor(() => expect(taken).toEqual([2, 3, 1]));
  expect(written).toEqual(['ls', ' -l', '\n']);
});

test('more than the server takes, and a server that takes nothing any more, end the terminal', async () => {
  const onFlood = vi.fn();
  const slow = createInbox(() => new Promise(() => {}), { onTaken: () => {}, onFlood });
  slow.put(Buffer.alloc(2 * terminalInputWaitingBytes));
  expect(onFlood).not.toHaveBeenCalled();
  slow.put(Buffer.alloc(1));
  expect(onFlood).toHaveBeenCalledTimes(1);
  const onFailed = vi.fn();
  const failing = createInbox(() => Promise.reject(new Error('gone')), {
    onTaken: () => {},
    onFlood: onFailed,
  });
  failing.put(Buffer.from('x'));
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledTimes(1));
});
