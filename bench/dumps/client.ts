import { request } from 'node:http';

/**
 * A person's browser in a process of its own: `client.ts <method> <address> <origin> <cookie> <bytes>`. It drops what it fetches,
 * and sends zero bytes behind the head of an archive. Prints the number of bytes that passed, the milliseconds from the
 * request to the end, and the milliseconds of processor time in between; ends with 1 for a failed transfer.
 */
const [method = '', address = '', origin = '', cookie = '', size = '0'] = process.argv.slice(2);
const bytes = Number(size);
const piece = Buffer.alloc(256 * 1024);

const begin = performance.now();
const beginUsage = process.cpuUsage();
const sending = request(address, {
  method,
  headers: {
    origin,
    cookie,
    ...(method === 'PUT' && {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes),
    }),
  },
});
sending.on('response', (answer) => {
  let arrived = 0;
  answer.on('data', (chunk: Buffer) => {
    arrived += chunk.length;
  });
  answer.on('close', () => {
    const isWhole = answer.complete && (answer.statusCode ?? 500) < 300;
    const took = performance.now() - begin;
    const { user, system } = process.cpuUsage(beginUsage);
    process.stdout.write(`${method === 'PUT' ? bytes : arrived} ${took} ${(user + system) / 1_000}`);
    process.exitCode = isWhole ? 0 : 1;
  });
});
if (method === 'PUT') send(0);
else sending.end();

function send(sent: number): void {
  let at = sent;
  while (at < bytes) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - at));
    if (at === 0) part.write('PGDMP');
    at += part.length;
    const goesOn = sending.write(part);
    if (!goesOn) {
      sending.once('drain', () => send(at));
      return;
    }
  }
  sending.end();
}
