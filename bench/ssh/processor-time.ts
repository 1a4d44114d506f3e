import type { Connection } from '@homeport/ssh';
import { timesOf } from '../processor-time.ts';

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
  const { stdout } = await connection.exec({ argv, deadlineMs: 10_000 });
  const pid = Number(stdout);
  const before = timesOf(pid);
  const client = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await burst();
  const { user, system } = process.cpuUsage(client);
  const after = timesOf(pid);
  return {
    client: (user + system) / 1_000 / rounds,
    sshd: (after.own - before.own) / rounds,
    commands: (after.children - before.children) / rounds,
  };
}
