import { connect } from 'node:net';

/**
 * A person's browser in a process of its own: `client.ts <method> <address> <origin> <cookie> <bytes>`. It drops what it fetches,
 * and sends zero bytes behind the head of an archive. Prints the number of bytes that passed, the milliseconds from the
 * request to the end, and the milliseconds of processor time in between; ends with 1 for a failed transfer. A person's browser runs
 * on another machine, so this one takes as little of the processor as a program on Node can: it reads into one piece of memory.
 */
const [method = '', address = '', origin = '', cookie = '', size = '0'] = process.argv.slice(2);
const bytes = Number(size);
const sends = method === 'PUT';
const piece = Buffer.alloc(256 * 1024);
const endOfHead = '\r\n\r\n';
const { hostname, port, pathname, search, host } = new URL(address);

const begin = performance.now();
const beginUsage = process.cpuUsage();
let head = '';
let isInBody = false;
let arrived = 0;
const socket = connect({
  host: hostname,
  port: Number(port),
  onread: { buffer: Buffer.alloc(256 * 1024), callback: take },
});
socket.write(
  [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...[`host: ${host}`, `origin: ${origin}`, `cookie: ${cookie}`, 'connection: close'],
    ...(sends ? ['content-type: application/octet-stream', `content-length: ${bytes}`] : []),
  ].join('\r\n') + endOfHead,
);
if (sends) send(0);
socket.on('close', () => {
  const took = performance.now() - begin;
  const { user, system } = process.cpuUsage(beginUsage);
  process.stdout.write(`${sends ? bytes : arrived} ${took} ${(user + system) / 1_000}`);
  const isWhole = /^HTTP\/1\.1 2/.test(head) && (sends || /^content-length: /im.test(head));
  process.exitCode = isWhole ? 0 : 1;
});

function take(count: number, memory: Uint8Array): boolean {
  if (isInBody) arrived += count;
  else {
    const text = Buffer.from(memory.buffer, memory.byteOffset, count).toString('latin1');
    const joined = head + text;
    const at = joined.indexOf(endOfHead);
    isInBody = at >= 0;
    head = isInBody ? joined.slice(0, at) : joined;
    if (isInBody) arrived = joined.length - at - endOfHead.length;
  }
  return true;
}

function send(sent: number): void {
  let at = sent;
  while (at < bytes) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - at));
    if (at === 0) part.write('PGDMP');
    at += part.length;
    const goesOn = socket.write(part);
    if (!goesOn) {
      socket.once('drain', () => send(at));
      return;
    }
  }
}
