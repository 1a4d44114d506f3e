import type { WebSocket } from 'ws';
import type { LiveSender } from './live-sender.ts';

const missedAtMost = 2;

/**
 * Ends a socket whose page left without closing it: a laptop was shut, or a network was left. A browser
 * answers pings by itself, also for a hidden tab. A page that is busy reading counts as alive. Returns the
 * function that stops this.
 */
export function keepAlive(socket: WebSocket, sender: LiveSender, everyMs: number): () => void {
  let missed = 0;
  let taken = sender.taken();
  const heard = () => {
    missed = 0;
  };
  socket.on('pong', heard);
  socket.on('message', heard);
  const timer = setInterval(() => {
    const waits = socket.bufferedAmount > 0;
    if (waits && sender.taken() !== taken) missed = 0;
    taken = sender.taken();
    if (missed >= missedAtMost) {
      socket.terminate();
      return;
    }
    missed += 1;
    if (socket.readyState !== socket.OPEN) return;
    socket.ping();
    // Data that waits already shows that the console lives.
    if (!waits) sender.tell({ type: 'beat' });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
