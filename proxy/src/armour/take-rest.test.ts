import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeRest } from './take-rest.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The bounds of take-rest.ts. */
const unwantedBytes = 1024 * 1024;
const unwantedMs = 2_000;

/** A request whose body is under way. */
function startTaking() {
  const request = new IncomingMessage(new Socket());
  const done = vi.fn();
  takeRest(request, done);
  return { request, done };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the rest of a body that nobody wants', () => {
  it('is done with its end, and waits for no deadline', async () => {
    const { request, done } = startTaking();
    request.push('x'.repeat(1_000));
    request.push(null);
    await turn();
    expect(done).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(unwantedMs);
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is given up after its bytes', async () => {
    const { request, done } = startTaking();
    request.push(Buffer.alloc(unwantedBytes));
    await turn();
    expect(done).not.toHaveBeenCalled();
    request.push('x');
    await turn();
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('is given up after its time', async () => {
    const { request, done } = startTaking();
    request.push('x');
    await turn();
    vi.advanceTimersByTime(unwantedMs - 1);
    expect(done).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(done).toHaveBeenCalledTimes(1);
  });
});
