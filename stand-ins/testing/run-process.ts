import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const answerSchema = z.union([
  z.object({ id: z.int(), told: z.unknown() }),
  z.object({ id: z.int(), wrong: z.string() }),
]);

export type StandInProcess<Report> = {
  report: Report;
  /** Has the stand-in do something. Rejects with its words if it cannot, and when it has ended. */
  ask<Told>(verb: string, given: unknown, told: z.ZodType<Told>): Promise<Told>;
  close(): Promise<void>;
};

type Waiting = { resolve(told: unknown): void; reject(error: Error): void };

/**
 * Starts a stand-in as a process of its own. Resolves with its report when it answers.
 *
 * @param program the file beside this one that calls `obey`
 */
export async function runProcess<Report>(
  program: string,
  reportSchema: z.ZodType<Report>,
): Promise<StandInProcess<Report>> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [told] = await Promise.race([
    once(child, 'message'),
    ended.then(([code, signal]): never => {
      throw new Error(`${program} ended with ${signal ?? code}.`);
    }),
  ]);
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on('message', (message) => {
    const answer = answerSchema.parse(message);
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('wrong' in answer) one?.reject(new Error(answer.wrong));
    else one?.resolve(answer.told);
  });
  child.once('exit', () => {
    for (const one of waiting.values()) one.reject(new Error(`${program} has ended.`));
    waiting.clear();
  });
  return {
    report: reportSchema.parse(told),
    async ask(verb, given, schema) {
      asked += 1;
      const id = asked;
      const answered = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      child.send({ id, verb, given }, (error) => {
        if (error) waiting.get(id)?.reject(error);
      });
      return schema.parse(await answered);
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
