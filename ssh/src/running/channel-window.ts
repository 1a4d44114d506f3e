import { setTimeout as wait } from 'node:timers/promises';
import { channelWindowBytes } from '@homeport/contract/limits';
import type { Client, ClientChannel } from 'ssh2';

/** A packet carries 32 kB. With smaller grants the server would get a packet of ours for each packet of its own. */
const grantAtBytes = channelWindowBytes / 2;

/**
 * Reading output that nobody keeps costs processor time all the same: decrypting, and a wake-up for each packet. So one
 * connection reads so much of it, all its channels together.
 */
const unkeptBytesPerSecond = 8 * 1024 * 1024;

export type ChannelWindow = {
  /** Lets the server send so much at once from now on, for output that passes through and is not kept. */
  widen(toBytes: number): void;
  /** The reader took these bytes, so the server may send as many again. */
  taken(bytes: number): void;
  /** Resolves when the connection may read this many bytes that nobody keeps. */
  pace(bytes: number): Promise<void>;
  /**
   * Nobody reads any more. Bytes that arrive from now on count as taken, at the pace of bytes that nobody keeps, so that the
   * command can end.
   */
  drain(): void;
};

/**
 * Opens a channel’s window by the bytes that the reader took, never by the bytes that arrived. ssh2 grants 2 MiB, renews the
 * window while a paused stream still has room, and lets a server send past the window. So the console announces a window of its
 * own, counts the bytes that arrive, and drops a connection whose server sends more than was granted.
 */
export function boundWindows(client: Client): { of(channel: ClientChannel): ChannelWindow } {
  const known = bound.get(client);
  if (known) return known;
  const protocol = protocolOf(client);
  /** The bytes that the server may still send, by our number of the channel. */
  const granted = new Map<number, number>();
  const drained = new Map<number, () => void>();

  const openSession = protocol.session.bind(protocol);
  protocol.session = (channel: number, _window: number, packet: number) => {
    granted.set(channel, channelWindowBytes);
    openSession(channel, channelWindowBytes, packet);
  };
  for (const name of ['CHANNEL_DATA', 'CHANNEL_EXTENDED_DATA'] as const) {
    const pass = protocol._handlers[name];
    protocol._handlers[name] = (self, channel, data, type) => {
      const left = (granted.get(channel) ?? 0) - data.length;
      if (left < 0) return void client.destroy();
      granted.set(channel, left);
      pass(self, channel, data, type);
      drained.get(channel)?.();
    };
  }

  let pacedUntil = 0;
  const pace = (bytes: number) => {
    const now = performance.now();
    pacedUntil = Math.max(now, pacedUntil) + (bytes / unkeptBytesPerSecond) * 1_000;
    return wait(pacedUntil - now);
  };

  const windows = {
    of(channel: ClientChannel): ChannelWindow {
      const { incoming, outgoing } = endsOf(channel);
      // ssh2 renews a window that has shrunk. An infinite window never shrinks.
      incoming.window = Number.POSITIVE_INFINITY;
      channel.once('close', () => {
        granted.delete(incoming.id);
        drained.delete(incoming.id);
      });
      let size: number = channelWindowBytes;
      let ungranted = 0;
      const grant = () => {
        if (ungranted < grantAtBytes || outgoing.state === 'closed') return;
        granted.set(incoming.id, (granted.get(incoming.id) ?? 0) + ungranted);
        protocol.channelWindowAdjust(outgoing.id, ungranted);
        ungranted = 0;
      };
      return {
        widen(toBytes) {
          ungranted += toBytes - size;
          size = toBytes;
          grant();
        },
        taken(bytes) {
          if (drained.has(incoming.id)) return;
          ungranted += bytes;
          grant();
        },
        pace,
        drain() {
          const all = () => {
            ungranted = size - (granted.get(incoming.id) ?? 0);
            grant();
          };
          let waits = false;
          const inTime = () => {
            const used = size - (granted.get(incoming.id) ?? 0);
            if (waits || used < grantAtBytes) return;
            waits = true;
            void pace(used).then(() => {
              waits = false;
              all();
            });
          };
          drained.set(incoming.id, inTime);
          all();
        },
      };
    },
  };
  bound.set(client, windows);
  return windows;
}

const bound = new WeakMap<Client, { of(channel: ClientChannel): ChannelWindow }>();

/** The parts of ssh2 1.17 that its types do not name. A version that keeps them elsewhere fails here, at once. */
type Handler = (self: unknown, channel: number, data: Buffer, type?: number) => void;
type Protocol = {
  session(channel: number, window: number, packet: number): void;
  channelWindowAdjust(channel: number, bytes: number): void;
  _handlers: { CHANNEL_DATA: Handler; CHANNEL_EXTENDED_DATA: Handler };
};
type Incoming = { id: number; window: number };
type Outgoing = { id: number; state: string };

function protocolOf(client: Client): Protocol {
  const { _protocol } = client as { _protocol?: Partial<Protocol> };
  if (!isProtocol(_protocol)) throw new Error('This version of ssh2 keeps its protocol somewhere else.');
  return _protocol;
}

function isProtocol(value: Partial<Protocol> | undefined): value is Protocol {
  return (
    typeof value?.session === 'function' &&
    typeof value.channelWindowAdjust === 'function' &&
    typeof value._handlers?.CHANNEL_DATA === 'function' &&
    typeof value._handlers.CHANNEL_EXTENDED_DATA === 'function'
  );
}

function endsOf(channel: ClientChannel): { incoming: Incoming; outgoing: Outgoing } {
  const { incoming, outgoing } = channel as { incoming?: Incoming; outgoing?: Outgoing };
  if (!incoming || !outgoing) throw new Error('This version of ssh2 keeps its windows somewhere else.');
  return { incoming, outgoing };
}
