import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The number of answers to each attack. */
const talliesSchema = z.object({ tallies: z.record(z.string(), z.record(z.string(), z.number())) });
export type Tallies = z.output<typeof talliesSchema>['tallies'];

export type Attacker = {
  /** Everything that the attack needs is linked, added and open. */
  ready: Promise<unknown>;
  /** Resolves after the attack, with its answers. What belongs to the attacker stays until `release`. */
  attack(): Promise<Tallies>;
  /** Lets the attacker's own servers and websites end, and waits for that. */
  release(): Promise<void>;
  kill(): void;
};

const setUpWithinMs = 180_000;
/** During the attack and after it the attacker gives way to all other work, so on a busy machine it takes minutes to end. */
const endWithinMs = 180_000;
/** So much of what the attacker printed last stands in the error of an attacker that failed. */
const complaintLength = 4_000;

/**
 * Starts a hostile program of this folder, in a process of its own so that its work does not count as the console's. The program sends
 * `ready`, begins at `go`, sends its tallies after so many seconds, and ends at `end`.
 */
export function startAttacker(
  name: string,
  options: { seconds: number } & Record<string, unknown>,
): Attacker {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const child: ChildProcess = fork(program, [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-complaintLength);
  });
  const message = (withinMs: number) =>
    new Promise<unknown>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The attacker said nothing in time.')), withinMs);
      const settle = (answer: () => void) => {
        clearTimeout(late);
        answer();
      };
      child.once('message', (said) => settle(() => resolve(said)));
      child.once('close', (code) =>
        settle(() => reject(new Error(`The attacker ended with ${code}:\n${complaint}`))),
      );
    });
  return {
    ready: message(setUpWithinMs),
    async attack() {
      const said = message(options.seconds * 1_000 + endWithinMs);
      child.send('go');
      return talliesSchema.parse(await said).tallies;
    },
    async release() {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(endWithinMs) });
      child.send('end');
      await ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
