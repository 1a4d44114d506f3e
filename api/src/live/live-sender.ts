import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import type { WebSocket } from 'ws';

export type Sending = 'sent' | 'slow' | 'stopped';

/** The unread bytes of all pages of one person together. */
export type UnreadBytes = {
  /** Returns false if there is no room for this many bytes. */
  take(bytes: number): boolean;
  give(bytes: number): void;
};

export type LiveSender = {
  /**
   * Sends a short message about a subscription at once. A page that lets even these messages pile up is cut
   * off.
   */
  tell(message: LiveConsoleMessage): void;
  /** Sends an event in its turn, when the page has taken most of the earlier data. */
  send(text: string, stop: AbortSignal): Promise<Sending>;
  /** Waits until there is room for an event, without sending one. */
  room(stop: AbortSignal): Promise<Sending>;
  /** Grows while the page takes the data that waits for it. */
  taken(): number;
};

type Waiting = { text: string | null; bytes: number; done: (outcome: Sending) => void };

const toldBytesAtMost = 64 * 1024;

/**
 * Bounds the data that waits for one page: about `bufferedBytes` that the socket holds and the kernel does
 * not have yet, and one event for each subscription. All of it counts as unread bytes of the person. Events
 * keep their order.
 */
export function createLiveSender(
  socket: WebSocket,
  { bufferedBytes, slowAfterMs }: { bufferedBytes: number; slowAfterMs: number },
  unread: UnreadBytes,
): LiveSender {
  const line: Waiting[] = [];
  let taken = 0;
  let toldBytes = 0;
  const write = (text: string, whenTaken: () => void) => {
    if (socket.readyState !== socket.OPEN) return whenTaken();
    socket.send(text, () => {
      taken += 1;
      whenTaken();
      serveLine();
    });
  };
  const serveLine = () => {
    while (socket.bufferedAmount < bufferedBytes) {
      const next = line.shift();
      if (!next) return;
      const { text, bytes, done } = next;
      if (text !== null) write(text, () => unread.give(bytes));
      done('sent');
    }
  };
  const wait = (text: string | null, stop: AbortSignal) => {
    if (stop.aborted) return Promise.resolve<Sending>('stopped');
    const bytes = text === null ? 0 : Buffer.byteLength(text);
    if (!unread.take(bytes)) return Promise.resolve<Sending>('slow');
    return new Promise<Sending>((resolve) => {
      const entry: Waiting = {
        text,
        bytes,
        done(outcome) {
          clearTimeout(timer);
          stop.removeEventListener('abort', onStop);
          resolve(outcome);
        },
      };
      const leave = (outcome: Sending) => {
        const place = line.indexOf(entry);
        if (place < 0) return;
        line.splice(place, 1);
        unread.give(bytes);
        entry.done(outcome);
      };
      const onStop = () => leave('stopped');
      const timer = setTimeout(leave, slowAfterMs, 'slow');
      stop.addEventListener('abort', onStop, { once: true });
      line.push(entry);
      serveLine();
    });
  };
  return {
    tell(message) {
      const text = JSON.stringify(message);
      toldBytes += text.length;
      if (toldBytes > toldBytesAtMost) socket.terminate();
      else
        write(text, () => {
          toldBytes -= text.length;
        });
    },
    send: (text, stop) => wait(text, stop),
    room: (stop) => wait(null, stop),
    taken: () => taken,
  };
}
