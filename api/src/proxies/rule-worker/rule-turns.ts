import type { JobKind } from './jobs.ts';

export type Task = {
  person: string;
  kind: JobKind;
  asked: unknown;
  settle(told: { answer: unknown } | { error: Error }): void;
};

/** The jobs that wait. Persons take turns, and a person’s next job waits until the one before has left. */
export class RuleTurns {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Task[]>();
  readonly #served = new Set<string>();
  readonly #mostOfPerson: number;

  constructor(mostOfPerson: number) {
    this.#mostOfPerson = mostOfPerson;
  }

  /** Returns false where as many of the person’s jobs wait as may. */
  add(task: Task): boolean {
    const mine = this.#waiting.get(task.person) ?? [];
    if (mine.length >= this.#mostOfPerson) return false;
    mine.push(task);
    this.#waiting.set(task.person, mine);
    return true;
  }

  /** The next job. It is served until `leave`. */
  take(): Task | undefined {
    for (const [person, tasks] of this.#waiting) {
      if (this.#served.has(person)) continue;
      // To the end of the turns: a map keeps the order in which its keys were set.
      this.#waiting.delete(person);
      const task = tasks.shift();
      if (tasks.length > 0) this.#waiting.set(person, tasks);
      if (task === undefined) continue;
      this.#served.add(person);
      return task;
    }
    return undefined;
  }

  leave({ person }: Task): void {
    this.#served.delete(person);
  }

  /** Takes all jobs that wait. */
  clear(): Task[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }
}
