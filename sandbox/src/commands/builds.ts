import { type BuildRecord, buildLog, buildsOf, displayStatus, durationOf } from '../machine/builds.ts';
import type { Call, SandboxCommand } from '../machine/call.ts';
import { readText } from '../machine/files.ts';
import { readFlags } from '../machine/flags.ts';
import { follow } from '../machine/follow.ts';

const statuses = ['running', 'succeeded', 'failed', 'canceled', 'abandoned'];

export const buildsList: SandboxCommand = {
  name: 'builds:list',
  since: '0.38.0',
  run: (call) => {
    const { flags, plain } = readFlags(call, {
      format: { value: true },
      kind: { value: true },
      status: { value: true },
    });
    const { name } = call.app(plain[0]);
    const status = flags.get('status');
    if (status !== undefined && !statuses.includes(status)) {
      call.fail(`Invalid --status value "${status}" (allowed: ${statuses.join(', ')})`);
    }
    const rows = runningFirst(buildsOf(call.state.paths, name))
      .filter((row) => (flags.get('kind') ?? row.kind) === row.kind)
      .filter((row) => status === undefined || displayStatus(row) === status)
      .map(({ pidTicks: _ticks, ...row }) => ({
        ...row,
        display_status: displayStatus({ ...row, pidTicks: _ticks }),
        duration: durationOf({ ...row, pidTicks: _ticks }),
        log_path: `/var/lib/dokku/data/builds/${name}/${row.id}.log`,
      }));
    if (flags.get('format') === 'json') return call.out(JSON.stringify(rows));
    if (rows.length === 0) return call.out('No builds recorded for this app');
    printTable(call, [
      ['Build ID', 'Kind', 'Status', 'PID', 'Source', 'Started', 'Duration'],
      ...rows.map((row) => [
        row.id,
        row.kind,
        row.display_status,
        String(row.pid),
        row.source,
        `${row.started_at.slice(0, 19)}Z`,
        row.duration,
      ]),
    ]);
  },
};

export const buildsOutput: SandboxCommand = {
  name: 'builds:output',
  since: '0.38.0',
  run: async (call) => {
    const { name } = call.app(call.words[0]);
    const builds = buildsOf(call.state.paths, name);
    const running = builds.find((row) => displayStatus(row) === 'running');
    const wanted = call.words[1] === 'current' ? running : builds.find((row) => row.id === call.words[1]);
    if (call.words[1] === 'current' && !running) return call.say('App not currently deploying');
    if (!wanted) return;
    const log = buildLog(call.state.paths, name, wanted.id);
    if (wanted.id !== running?.id) return call.write(1, readText(log) ?? '');
    // For a running deploy the command follows the log and does not end by itself.
    await follow(call.state.paths, [{ path: log, from: 0 }], (line) => call.out(line));
  },
};

/** As recorded in locks.json: a running deploy stands before a later one that was refused. */
const runningFirst = (rows: readonly BuildRecord[]) =>
  rows.toSorted((a, b) => Number(displayStatus(b) === 'running') - Number(displayStatus(a) === 'running'));

/** Prints columns as wide as their longest word plus two blanks (Go's tabwriter). */
function printTable(call: Call, rows: readonly (readonly string[])[]): void {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0)) + 2;
  for (const row of rows)
    call.out(row.map((word, at) => (at === row.length - 1 ? word : word.padEnd(width(at)))).join(''));
}
