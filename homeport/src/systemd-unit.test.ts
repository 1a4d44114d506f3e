import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreError } from '@homeport/store';
import { beforeAll, expect, test } from 'vitest';
import { withUnit } from './config/document-unit.ts';
import { exitOfStart, refusedStartExit, stopWithinMs } from './shutdown.ts';

const guide = fileURLToPath(new URL('../../docs/operator-guide.md', import.meta.url));
const packaged = fileURLToPath(new URL('../../packaging/homeport.service', import.meta.url));
const manifest = fileURLToPath(new URL('../../package.json', import.meta.url));

let unit: string;
let ofCheckout: string;
beforeAll(async () => {
  unit = await readFile(packaged, 'utf8');
  ofCheckout = /```ini\n(\[Unit\]\n[^`]*)```/.exec(await readFile(guide, 'utf8'))?.[1] ?? '';
});

const valuesOf = (name: string, text = unit): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

test('the unit stops the console alone, and waits for longer than its stop may take', () => {
  expect(valuesOf('KillMode')).toEqual(['mixed']);
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(stopWithinMs);
});

test('the unit does not start a program again that is older than its data', () => {
  expect(valuesOf('RestartPreventExitStatus')).toEqual([String(refusedStartExit)]);
});

test('the guide shows the same unit for a checkout, which starts Node with the options of npm start', async () => {
  const { scripts } = JSON.parse(await readFile(manifest, 'utf8')) as { scripts: { start: string } };
  const shown = await readFile(guide, 'utf8');
  expect(withUnit(shown, unit, scripts.start)).toBe(shown);
  const program = scripts.start.replace('MALLOC_ARENA_MAX=2 exec node', '/usr/bin/node');
  expect(valuesOf('ExecStart', ofCheckout)).toEqual([`${program} --data /var/lib/homeport`]);
  expect(valuesOf('Environment', ofCheckout)).toEqual(['MALLOC_ARENA_MAX=2']);
  expect(valuesOf('WorkingDirectory', ofCheckout)).toEqual(['/opt/homeport']);
  expect(valuesOf('ExecStart')).toEqual(['/usr/bin/homeport --data /var/lib/homeport']);
});

test('the unit may write to its data folder alone', () => {
  expect(valuesOf('ProtectSystem')).toEqual(['strict']);
  expect(valuesOf('StateDirectory')).toEqual(['homeport']);
  expect(valuesOf('ReadWritePaths')).toEqual([]);
});

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyzer)('systemd finds no fault in the unit, and calls its exposure OK', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-unit-'));
  try {
    const file = join(folder, 'homeport.service');
    // The analyzer looks for the program, which is another machine's.
    const here = unit.replace('/usr/bin/homeport', process.execPath);
    await writeFile(file, here);
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(`${verified.stdout}${verified.stderr}`).toBe('');
    expect(verified.status).toBe(0);
    // Tenths: the exposure may be 1.5 at most.
    const secure = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=15', '--no-pager', file],
      {
        encoding: 'utf8',
      },
    );
    expect(secure.status, secure.stdout.split('\n').slice(-3).join('\n')).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a start that would fail alike is not tried again by the unit, and any other is', () => {
  for (const code of ['newer_schema', 'step_too_long'] as const)
    expect(exitOfStart(new StoreError(code, 'A step takes too long.', 'Restore.'))).toBe(refusedStartExit);
  expect(exitOfStart(new StoreError('unreachable', 'PostgreSQL does not answer.', 'Start it.'))).toBe(1);
  for (const code of ['newer_data', 'older_data', 'move_failed', 'no_binaries'] as const)
    expect(
      exitOfStart(new StoreError(code, 'The data cannot be moved.', 'Start the Homeport of before.')),
    ).toBe(refusedStartExit);
  expect(exitOfStart(new Error('A port is taken.'))).toBe(1);
});
