import { terminalInputBytes, terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';

/** A paste that is longer than this is no paste that somebody wants in a terminal. */
export const pasteBytes = 1_000_000;

/**
 * Sends keystrokes in their order: the first at once, and those that are typed meanwhile together when the server has taken some. A
 * server that takes nothing gets no more than it can hold, and what a screen answers by itself to a flood of questions is dropped.
 */
export function createInputQueue(send: (bytes: Uint8Array) => void) {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let untaken = 0;
  const flush = () => {
    while (
      waitingBytes > 0 &&
      untaken < terminalInputWaitingBytes &&
      (untaken === 0 || waitingBytes >= terminalInputBytes)
    )
      sendNext();
  };
  const sendNext = () => {
    const bytes = new Uint8Array(Math.min(waitingBytes, terminalInputBytes));
    let at = 0;
    while (at < bytes.length) {
      const [first = new Uint8Array()] = waiting;
      const part = first.subarray(0, bytes.length - at);
      bytes.set(part, at);
      at += part.length;
      if (part.length === first.length) waiting = waiting.slice(1);
      else waiting[0] = first.subarray(part.length);
    }
    waitingBytes -= bytes.length;
    untaken += bytes.length;
    send(bytes);
  };
  return {
    /** False: too much waits, and these bytes were dropped. */
    put(bytes: Uint8Array): boolean {
      if (waitingBytes + bytes.length > pasteBytes) return false;
      if (bytes.length > 0) waiting.push(bytes);
      waitingBytes += bytes.length;
      flush();
      return true;
    },
    taken(bytes: number): void {
      untaken = Math.max(0, untaken - bytes);
      flush();
    },
  };
}
