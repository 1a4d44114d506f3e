import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Verbs } from './verbs.ts';

const answerSchema = z.union([
  z.object({ id: z.int(), told: z.unknown() }),
  z.object({ id: z.int(), wrong: z.string() }),
]);

export type LentProcess = {
  /** Has the stand-in do something. Rejects with its words if it cannot, and when it has ended. */
  ask<Given, Told>(verb: VerbOf<Given, Told>, given: Given): Promise<Told>;
  pid: number | undefined;
  /** Nothing can be asked any more. The process waits for the next who needs one. */
  giveBack(): void;
};

/** One verb of the stand-in's own table. */
type VerbOf<Given, Told> = { given: z.ZodType<unknown, Given>; told: z.ZodType<Told> };

type Running = { child: ChildProcess; ask(verb: string, given: unknown): Promise<unknown> };
type Waiting = { resolve(told: unknown): void; reject(error: Error): void };

/** Processes that nobody uses at the moment, by their programs. */
const idle = new Map<string, Running[]>();

/**
 * Lends a stand-in's process, which answers nobody else meanwhile. A start takes more than half a second, so a process that was given
 * back is lent again. It ends with the process that started it.
 *
 * @param program the file beside this one that calls `obey`
 */
export async function lendProcess(program: string, verbs: Verbs): Promise<LentProcess> {
  const names = new Map(Object.entries(verbs).map(([name, verb]): [object, string] => [verb, name]));
  const running = idle.get(program)?.pop() ?? (await start(program));
  running.child.ref();
  running.child.channel?.ref();
  let isLent = true;
  return {
    pid: running.child.pid,
    async ask(verb, given) {
      const name = names.get(verb) ?? '';
      if (!isLent) throw new Error(`${program} was given back before "${name}".`);
      return verb.told.parse(await running.ask(name, given));
    },
    giveBack() {
      isLent = false;
      running.child.unref();
      running.child.channel?.unref();
      if (running.child.connected) idle.set(program, [...(idle.get(program) ?? []), running]);
    },
  };
}

async function start(program: string): Promise<Running> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]): never => {
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
    idle.set(program, idle.get(program)?.filter((each) => each.child !== child) ?? []);
  });
  return {
    child,
    ask(verb, given) {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ id, verb, given }, (error) => error && waiting.delete(id) && reject(error));
      });
    },
  };
}
