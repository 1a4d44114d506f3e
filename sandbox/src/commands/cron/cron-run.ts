import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { environmentOf } from '../../deploy/deploy.ts';
import { type Call, Exit, type SandboxCommand } from '../../machine/call.ts';
import { readText } from '../../machine/files.ts';
import { isAlive, startTicksOf } from '../../machine/processes.ts';
import { withAddresses } from '../../services/addresses.ts';
import { taskOf } from './cron-tasks.ts';

/** Runs a task on the app's code until it ends. Like the real Dokku, ends with 1 however the task failed. */
export const cronRun: SandboxCommand = {
  name: 'cron:run',
  run: async (call) => {
    const [name, id = ''] = call.words;
    const app = call.app(name);
    const task = taskOf(call, app, id);
    const giveBack = task.concurrency_policy === 'forbid' ? takeCronLock(call, app.name, id) : () => {};
    const { paths } = call.state;
    // The name of a process type stands for its command.
    const command = app.processes[task.command] ?? task.command;
    const env = withAddresses(paths, environmentOf(call, app, `cron.${process.pid}`));
    const child = spawn('sh', ['-c', command], {
      cwd: paths.code(app.name, app.code ?? ''),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (bytes: Buffer) => call.write(1, bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => call.write(2, bytes.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    giveBack();
    if (code !== 0) throw new Exit(1);
  },
};

function takeCronLock(call: Call, app: string, id: string): () => void {
  // An id is longer than the name of a file may be.
  const path = call.state.paths.lock(`cron-${createHash('sha256').update(id).digest('hex')}`);
  const [pid = '0', ticks = ''] = (readText(path) ?? '0').split(' ');
  if (Number(pid) > 0 && isAlive(Number(pid), ticks === '' ? null : ticks))
    call.fail(`${app} currently has a cron lock in place for ${id}. Exiting...`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${process.pid} ${startTicksOf(process.pid) ?? ''}`);
  return () => rmSync(path, { force: true });
}
