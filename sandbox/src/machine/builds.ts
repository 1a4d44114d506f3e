import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readState, writeState } from './files.ts';
import type { Paths } from './paths.ts';
import { isAlive, startTicksOf } from './processes.ts';

export type BuildRecord = {
  id: string;
  app: string;
  kind: 'build' | 'deploy';
  pid: number;
  pidTicks: string | null;
  started_at: string;
  finished_at?: string;
  status: 'running' | 'succeeded' | 'failed' | 'canceled';
  source: string;
  exit_code?: number;
};

const indexOf = (paths: Paths, app: string) => join(paths.builds(app), 'index.json');

export const buildLog = (paths: Paths, app: string, id: string) => join(paths.builds(app), `${id}.log`);

/** Newest first. */
export function buildsOf(paths: Paths, app: string): BuildRecord[] {
  return readState<BuildRecord[]>(indexOf(paths, app)) ?? [];
}

export function beginBuild(
  paths: Paths,
  app: string,
  kind: BuildRecord['kind'],
  source: string,
  pid = process.pid,
): BuildRecord {
  mkdirSync(paths.builds(app), { recursive: true });
  const record: BuildRecord = {
    // Dokku's ids begin with their time, so that they sort by it.
    id: `${Date.now().toString(36).padStart(8, '0')}${randomBytes(3).toString('hex')}`,
    app,
    kind,
    pid,
    pidTicks: startTicksOf(pid),
    started_at: new Date().toISOString(),
    status: 'running',
    source,
  };
  writeState(indexOf(paths, app), [record, ...buildsOf(paths, app)].slice(0, 20));
  return record;
}

/** Closes a record and, like the real Dokku, those of the app whose process is gone. */
export function endBuild(
  paths: Paths,
  record: BuildRecord,
  status: BuildRecord['status'],
  exitCode: number,
): void {
  const { status: _begun, source, ...begun } = record;
  const finished_at = new Date().toISOString();
  const ended: BuildRecord = { ...begun, finished_at, status, source, exit_code: exitCode };
  const closed = (row: BuildRecord): BuildRecord =>
    displayStatus(row) === 'abandoned' ? { ...row, finished_at, status: 'failed', exit_code: -1 } : row;
  const rows = buildsOf(paths, record.app).map((row) => (row.id === record.id ? ended : closed(row)));
  writeState(indexOf(paths, record.app), rows);
}

/** Dokku's word for a record that says `running` while its process is gone. */
export function displayStatus(record: BuildRecord): string {
  return record.status === 'running' && !isAlive(record.pid, record.pidTicks) ? 'abandoned' : record.status;
}

/** `21s`, `1m20s` */
export function durationOf(record: BuildRecord): string {
  const end = record.finished_at === undefined ? Date.now() : Date.parse(record.finished_at);
  const seconds = Math.max(0, Math.round((end - Date.parse(record.started_at)) / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
