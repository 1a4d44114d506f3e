import { OpeningError } from '../failures.ts';
import type { Ssh2Protocol } from './ssh2-protocol.ts';
import { WireReader } from './wire.ts';

/** The most that a server may send before the login is complete. A login by OpenSSH takes about 10 packets and 4 kB. */
const loginLimits = {
  packets: 1_000,
  bytes: 262_144,
  /** The first key exchange, and a rekey while somebody types a password. */
  keyExchanges: 3,
  keyExchangeBytes: 16_384,
  extensions: 64,
  /** Rounds of questions (RFC 4256), and questions in one round. */
  rounds: 16,
  prompts: 16,
} as const;

/** After the login. A key exchange costs this process 2 to 10 ms; a server that asks for a hundred a second would block it. */
const rekeysAtOnce = 128;
const rekeysPerSecond = 8;
/** Ends a server that asks and never reads our answers. The input of commands waits for the server's window, so it stays below. */
const unreadBytes = 64 * 1024 * 1024;

const message = {
  ignore: 2,
  extInfo: 7,
  keyExchangeInit: 20,
  infoRequest: 60,
  globalRequest: 80,
  channelData: 94,
  channelExtendedData: 95,
} as const;

export type InboundWatch = {
  /** Bytes that the other end has not read yet. */
  unread(): number;
  /** The bytes that the server may still send on one of our channels. Null for an unknown channel. */
  windowOf(channel: number): number | null;
  /** The extensions that the server announced (RFC 8308), their values as text. */
  onExtensions(extensions: ReadonlyMap<string, string>): void;
  /** A packet came after the login. */
  onPacket(): void;
};

/**
 * Reads each packet of the server before ssh2 does, and ends the connection at a packet that would cost this process too much.
 * ssh2 itself bounds one packet (35,000 bytes) and nothing else. Call `loggedIn` at `ready`.
 */
export function limitInbound(protocol: Ssh2Protocol, watch: InboundWatch): { loggedIn(): void } {
  let { read: own } = protocol._packetRW;
  const login = { packets: 0, bytes: 0, keyExchanges: 0, rounds: 0 };
  const rekeys = createRekeyBudget();
  let isLoggedIn = false;

  const duringLogin = (payload: Buffer) => {
    login.packets += 1;
    login.bytes += payload.length;
    if (login.packets > loginLimits.packets || login.bytes > loginLimits.bytes) {
      throw excess('The server sends more than a login takes.');
    }
    if (payload[0] === message.keyExchangeInit) {
      login.keyExchanges += 1;
      if (login.keyExchanges > loginLimits.keyExchanges || payload.length > loginLimits.keyExchangeBytes) {
        throw excess('The server negotiates keys without end.');
      }
    }
    if (payload[0] === message.extInfo) watch.onExtensions(readExtensions(payload));
    if (payload[0] === message.infoRequest && protocol._authsQueue[0] === 'keyboard-interactive') {
      login.rounds += 1;
      if (login.rounds > loginLimits.rounds || promptsIn(payload) > loginLimits.prompts) {
        throw excess('The server asks more questions than a login takes.');
      }
    }
  };

  const whenLoggedIn = (payload: Buffer) => {
    watch.onPacket();
    if (payload[0] === message.keyExchangeInit && !rekeys.take()) {
      throw excess('The server asks for new keys too often.');
    }
    if (payload[0] === message.channelData || payload[0] === message.channelExtendedData) {
      const fields = new WireReader(payload, 1);
      const window = watch.windowOf(fields.uint32() ?? -1);
      if (payload[0] === message.channelExtendedData) fields.uint32();
      const bytes = fields.uint32() ?? 0;
      if (window !== null && bytes > window) throw excess('The server sends more than it was allowed to.');
      // ssh2 hands out a view of the whole packet, so bytes behind the data would be kept with it and counted by nobody.
      const head = payload[0] === message.channelData ? 9 : 13;
      if (payload.length > head + bytes) throw excess('The server sends bytes behind the data of a channel.');
    }
    if (watch.unread() > unreadBytes) throw excess('The server does not read the answers that it asked for.');
  };

  const reader = {
    read(packet: Buffer) {
      const payload = own.read(packet);
      if (isLoggedIn) whenLoggedIn(payload);
      else duringLogin(payload);
      return isHostKeyOffer(payload) ? ignored : payload;
    },
    cleanup: () => own.cleanup(),
  };
  // ssh2 installs a new reader with each key exchange.
  Object.defineProperty(protocol._packetRW, 'read', {
    get: () => reader,
    set: (next: typeof own) => {
      own = next;
    },
  });
  return {
    loggedIn() {
      isLoggedIn = true;
    },
  };
}

function excess(text: string): OpeningError {
  return new OpeningError({ code: 'unreachable', message: `${text} Homeport ended the connection.` });
}

function readExtensions(payload: Buffer): ReadonlyMap<string, string> {
  const reader = new WireReader(payload, 1);
  const count = reader.uint32() ?? 0;
  if (count > loginLimits.extensions) throw excess('The server announces too many extensions.');
  const extensions = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const [name, value] = [reader.string(), reader.string()];
    if (!name || !value) break;
    extensions.set(name.toString('latin1'), value.toString('latin1'));
  }
  return extensions;
}

/** ssh2 makes an array of this length before it reads the prompts, so the number alone could cost 270 MB. */
function promptsIn(payload: Buffer): number {
  const reader = new WireReader(payload, 1);
  reader.string();
  reader.string();
  reader.string();
  return reader.uint32() ?? 0;
}

/**
 * OpenSSH sends a client its other host keys after the login. Homeport pins one key and learns no other by itself, while ssh2
 * would parse and verify every key, hundreds in one packet.
 */
function isHostKeyOffer(payload: Buffer): boolean {
  if (payload[0] !== message.globalRequest) return false;
  return new WireReader(payload, 1).string()?.toString('latin1') === 'hostkeys-00@openssh.com';
}

/** SSH_MSG_IGNORE with an empty string (RFC 4253, section 11.2). */
const ignored = Buffer.of(message.ignore, 0, 0, 0, 0);

function createRekeyBudget() {
  let left: number = rekeysAtOnce;
  let at = performance.now();
  return {
    take(): boolean {
      const now = performance.now();
      left = Math.min(rekeysAtOnce, left + ((now - at) / 1_000) * rekeysPerSecond);
      at = now;
      left -= 1;
      return left >= 0;
    },
  };
}
