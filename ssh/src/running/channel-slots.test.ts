import { waitingPerConnection } from '@homeport/contract/limits';
import { describe, expect, it } from 'vitest';
import { ChannelSlots } from './channel-slots.ts';

const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ChannelSlots', () => {
  it('admits callers up to the limit, and the others in turn', async () => {
    const slots = new ChannelSlots(2);
    const order: number[] = [];
    for (const index of [1, 2, 3, 4]) void slots.acquire(never).then(() => order.push(index));
    await settled();
    expect(order).toEqual([1, 2]);
    slots.release();
    await settled();
    expect(order).toEqual([1, 2, 3]);
  });

  it('lets a refused caller go before the waiting ones', async () => {
    const slots = new ChannelSlots(1);
    const order: string[] = [];
    await slots.acquire(never);
    void slots.acquire(never).then(() => order.push('waited'));
    void slots.acquire(never, { place: 'ahead' }).then(() => order.push('ahead'));
    slots.release();
    await settled();
    expect(order).toEqual(['ahead']);
  });

  it('keeps its last two channels from followers and gives them to other commands at once', async () => {
    const slots = new ChannelSlots(4);
    const order: string[] = [];
    for (const n of [1, 2, 3])
      void slots.acquire(never, { follows: true }).then(() => order.push(`log ${n}`));
    for (const n of [1, 2]) void slots.acquire(never).then(() => order.push(`command ${n}`));
    await settled();
    expect(order).toEqual(['log 1', 'log 2', 'command 1', 'command 2']);
    slots.release();
    await settled();
    expect(order).toHaveLength(4);
    slots.release({ follows: true });
    await settled();
    expect(order.at(-1)).toBe('log 3');
  });

  it('lets one follower in where the server allows a single channel', async () => {
    const slots = new ChannelSlots(1);
    await slots.acquire(never, { follows: true });
    expect(slots.busy).toBe(1);
  });

  it('takes a cancelled caller out of the queue', async () => {
    const slots = new ChannelSlots(1);
    await slots.acquire(never);
    const cancel = new AbortController();
    const waiting = slots.acquire(cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    slots.release();
    await slots.acquire(never);
    expect(slots.busy).toBe(1);
  });

  it('lets so many callers wait and refuses the next one with the number, except one that the server sent back', async () => {
    const slots = new ChannelSlots(1);
    await slots.acquire(never);
    const callers = Array.from({ length: waitingPerConnection }, () => new AbortController());
    const waiting = callers.map(({ signal }) => slots.acquire(signal));
    await expect(slots.acquire(never)).rejects.toMatchObject({
      failure: { code: 'too_many_waiting', most: waitingPerConnection },
      message: expect.stringContaining(`${waitingPerConnection} commands wait`),
    });
    const sentBack = slots.acquire(never, { place: 'ahead' });
    slots.release();
    await sentBack;
    for (const caller of callers) caller.abort(new Error('left'));
    await expect(Promise.allSettled(waiting)).resolves.toHaveLength(waitingPerConnection);
    await settled();
    expect(slots.busy).toBe(1);
  });

  it('lowers its limit at each refusal to one less than the server runs, never below one', async () => {
    const slots = new ChannelSlots(8);
    for (let index = 0; index < 8; index += 1) await slots.acquire(never);
    for (let refusals = 0; refusals < 5; refusals += 1) slots.refused();
    expect(slots.limit).toBe(2);
    for (let refusals = 0; refusals < 3; refusals += 1) slots.refused();
    expect(slots.limit).toBe(1);
  });
});
