import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Connection } from '@homeport/ssh';

/** Milliseconds of processor time for one burst, by process. */
export type ProcessorTimes = { client: number; sshd: number; commands: number };

/**
 * The processor time of a burst of actions. Other work on the machine stretches time on the wall many times over, but hardly
 * processor time. `sshd` is the connection's own process, `commands` are the account's shells and their commands.
 */
export async function processorTimes(
  connection: Connection,
  burst: () => Promise<unknown>,
  rounds: number,
): Promise<ProcessorTimes> {
  const argv = ['sh', '-c', 'echo $PPID'];
  const { stdout: pid } = await connection.exec({ argv, deadlineMs: 10_000 });
  const before = timesOf(pid.trim());
  const client = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await burst();
  const { user, system } = process.cpuUsage(client);
  const after = timesOf(pid.trim());
  return {
    client: (user + system) / 1_000 / rounds,
    sshd: (after.own - before.own) / rounds,
    commands: (after.children - before.children) / rounds,
  };
}

/** proc(5), stat: fields 14 to 17, counted in ticks. The name in brackets may hold any character. */
export function timesOf(pid: string | number): { own: number; children: number } {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const milliseconds = (...at: number[]) =>
    at.reduce((sum, field) => sum + Number(fields[field - 3]), 0) * millisecondsPerTick;
  return { own: milliseconds(14, 15), children: milliseconds(16, 17) };
}

const millisecondsPerTick = 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
