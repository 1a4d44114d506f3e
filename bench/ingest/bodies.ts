import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { agentProgram } from '@homeport/agent';
import { type Report, reportSchema } from '@homeport/contract/stats/schema';

/** A report about this machine, made by the real agent. */
export function realReport(): Report {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-agent-'));
  try {
    writeFileSync(join(folder, 'agent.sh'), agentProgram);
    writeFileSync(join(folder, 'agent.conf'), `url=http://127.0.0.1\nstate_dir=${folder}\n`);
    const printed = execFileSync('bash', [
      join(folder, 'agent.sh'),
      '--print',
      '--config',
      join(folder, 'agent.conf'),
    ]);
    return reportSchema.parse(JSON.parse(printed.toString()));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A whole HTTP request with one report of one server, compressed like the agent's. */
export function requestOf(base: Report, token: string, ts: number, round: number): Buffer {
  const report = {
    ...base,
    ts,
    seq: ts,
    load: [1 + (round % 7) / 10, 0.5, 0.25],
    net: (base.net ?? []).map((card) => ({ ...card, rx: card.rx + round * 1e6, tx: card.tx + round * 1e5 })),
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
