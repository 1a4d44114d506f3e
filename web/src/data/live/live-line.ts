import { liveSubprotocol } from '@homeport/contract/live/facts';
import type { LiveConsoleMessage, LivePageMessage } from '@homeport/contract/live/schema';
import { readLiveMessage } from './read-live-message.ts';

export interface LiveLine {
  isHeld: () => boolean;
  isOpen: () => boolean;
  /** Connects if there is no socket. */
  ensure: () => void;
  say: (message: LivePageMessage) => void;
  /** Closes the socket without telling the listener. */
  letGo: (code: number) => void;
  /** The code of the socket's last close (RFC 6455, 7.4). */
  closeCode: () => number;
}

export interface LiveLineListener {
  onOpen: () => void;
  onMessage: (message: LiveConsoleMessage) => void;
  /** The socket ended, fell silent or broke the protocol. The line has dropped the socket already. */
  onLost: () => void;
}

/**
 * The console sends a message every 20 s, but timers of hidden tabs run late. Therefore two checks without a
 * message count as silence.
 */
const lookEveryMs = 30_000;
/** `WebSocket.CONNECTING` and `WebSocket.OPEN` of the standard. */
const connecting = 0;
const open = 1;

/** The page's one socket, to its own origin. */
export function connectLive(): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}/api/live`, liveSubprotocol);
}

/** Holds at most one socket, reads its messages, and drops a silent socket. */
export function createLiveLine(connect: () => WebSocket, listener: LiveLineListener): LiveLine {
  let socket: WebSocket | null = null;
  let closeCode = 0;
  let silentLooks = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const letGo = (code: number) => {
    const closing = socket;
    socket = null;
    closeCode = code;
    clearInterval(timer);
    if (!closing) return;
    closing.onmessage = closing.onclose = null;
    // The browser logs an error when a socket is closed while it connects.
    closing.onopen = () => closing.close();
    if (closing.readyState !== connecting) closing.close();
  };
  const lose = (code: number) => {
    letGo(code);
    listener.onLost();
  };
  const ensure = () => {
    if (socket) return;
    const opening = connect();
    socket = opening;
    silentLooks = 0;
    timer = setInterval(() => {
      silentLooks += 1;
      if (silentLooks === 2) lose(1006);
    }, lookEveryMs);
    opening.onopen = listener.onOpen;
    opening.onmessage = ({ data }: MessageEvent<unknown>) => {
      silentLooks = 0;
      const message = readLiveMessage(data);
      if (message) listener.onMessage(message);
      else lose(1002);
    };
    opening.onclose = ({ code }) => lose(code);
  };
  return {
    isHeld: () => socket !== null,
    isOpen: () => socket?.readyState === open,
    ensure,
    say: (message) => socket?.send(JSON.stringify(message)),
    letGo,
    closeCode: () => closeCode,
  };
}
