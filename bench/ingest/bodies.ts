import { gzipSync } from 'node:zlib';
import type { Report } from '@homeport/contract/stats/schema';

/** A whole HTTP request with one report of one server, compressed like the agent's. */
export function requestOf(base: Report, token: string, ts: number, round: number): Buffer {
  const report = {
    ...base,
    ts,
    seq: ts,
    load: [1 + (round % 7) / 10, 0.5, 0.25],
    net: (base.net ?? []).map((card) => ({ ...card, rx: card.rx + round * 1e6, tx: card.tx + round * 1e5 })),
    apps: (base.apps ?? []).map((app) => ({
      ...app,
      cpu_usec: (app.cpu_usec ?? 0) + round * 2_000_000,
      rx: (app.rx ?? 0) + round * 1e5,
      tx: (app.tx ?? 0) + round * 1e5,
    })),
    cpu_jiffies: (base.cpu_jiffies ?? []).map((value, index) => value + round * (index === 3 ? 15_000 : 700)),
  };
  const body = gzipSync(JSON.stringify([report]));
  const head = [
    'POST /api/v2/report HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
