import { terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';

/** What the server has not taken may be a message more than the page knows of. */
const mostWaiting = 2 * terminalInputWaitingBytes;

/** The keystrokes of one terminal, which reach the server in their order and no faster than the server takes them. */
export function createInbox(
  write: (bytes: Buffer) => Promise<void>,
  { onTaken, onFlood }: { onTaken: (bytes: number) => void; onFlood: () => void },
) {
  let waiting = 0;
  let last = Promise.resolve();
  return {
    put(bytes: Buffer): void {
      if (bytes.length === 0) return;
      waiting += bytes.length;
      if (waiting > mostWaiting) {
        onFlood();
        return;
      }
      last = last
        .then(() => write(bytes))
        .then(() => {
          waiting -= bytes.length;
          onTaken(bytes.length);
        })
        .catch(onFlood);
    },
  };
}
