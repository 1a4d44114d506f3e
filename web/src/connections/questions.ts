import type { Server } from '@homeport/contract/servers/schema';
import type { SigningKeys } from '@homeport/signer/key-types';
import type { HeldKey } from '../keys/keystore/held-key.ts';
import type { OpeningQuestion } from './opening-state.ts';

/** A key that this browser keeps locked. The answer is the unlocked key, or null to give up. */
export interface LockedKeyQuestion {
  status: 'key_locked';
  held: HeldKey;
  pepper: string;
  answer: (keys: SigningKeys | null) => void;
}

/** A question of an opening, with its server and account. */
export interface ConnectionQuestion {
  id: number;
  server: Pick<Server, 'id' | 'name' | 'ip' | 'port'>;
  user: string;
  about: OpeningQuestion | LockedKeyQuestion;
}

/** The subject of a question of one kind. */
export type About<S extends ConnectionQuestion['about']['status']> = Extract<
  ConnectionQuestion['about'],
  { status: S }
>;

let nextId = 1;
let waiting: readonly ConnectionQuestion[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly ConnectionQuestion[]) {
  waiting = next;
  for (const listener of listeners) listener();
}

/**
 * Queues a question. `ConnectionQuestions` shows one at a time. Returns a function that withdraws the
 * question when its opening is over.
 */
export function putQuestion(question: Omit<ConnectionQuestion, 'id'>): () => void {
  const id = nextId++;
  const withdraw = () => publish(waiting.filter((each) => each.id !== id));
  const { answer } = question.about;
  const about = {
    ...question.about,
    // The first answer removes the question at once, because the work that follows takes time.
    answer(value: never) {
      withdraw();
      answer(value);
    },
  } as ConnectionQuestion['about'];
  publish([...waiting, { ...question, about, id }]);
  return withdraw;
}

export const questionStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  first: () => waiting[0] ?? null,
};
