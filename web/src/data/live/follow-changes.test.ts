import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sessionKey } from '../session-key.ts';
import { followChanges } from './live.ts';

/** A socket that opens, and that the test closes. */
class StandInSocket {
  static made: StandInSocket[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    StandInSocket.made.push(this);
  }
  send(): void {}
  close(): void {}
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  StandInSocket.made = [];
  const page = { addEventListener: () => undefined, document: { visibilityState: 'visible' } };
  vi.stubGlobal('window', page);
  vi.stubGlobal('location', { protocol: 'http:', host: 'console.example' });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('WebSocket', StandInSocket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('does not try again before it has read whether its session is over', async () => {
  const client = new QueryClient();
  let answer: (session: null) => void = () => undefined;
  const readSession = vi.fn(() => new Promise<null>((resolve) => (answer = resolve)));
  const leave = new QueryObserver(client, {
    queryKey: sessionKey,
    queryFn: readSession,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  const stop = followChanges(client);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(StandInSocket.made).toHaveLength(1);
  StandInSocket.made[0]?.open();
  StandInSocket.made[0]?.end(1008);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(readSession).toHaveBeenCalledOnce();
  expect(StandInSocket.made).toHaveLength(1);

  answer(null);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(StandInSocket.made).toHaveLength(2);
  stop();
  leave();
});
