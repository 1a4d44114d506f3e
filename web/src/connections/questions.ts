import type { Server } from '@homeport/contract/servers';
import type { HeldKey } from '../credentials/keys/keystore.ts';
import type { SigningKeys } from '../credentials/keys/signing-keys.ts';
import type { OpeningQuestion } from './opening-state.ts';

/** A key that this browser keeps locked: the answer is the unlocked key, or null to give up. */
export interface LockedKeyQuestion {
  status: 'key_locked';
  held: HeldKey;
  pepper: string;
  answer: (keys: SigningKeys | null) => void;
}

/** What an opening waits for, and of which server as which account. */
export interface ConnectionQuestion {
  id: number;
  server: Pick<Server, 'id' | 'name' | 'ip' | 'port'>;
  user: string;
  about: OpeningQuestion | LockedKeyQuestion;
}

let nextId = 1;
let waiting: readonly ConnectionQuestion[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly ConnectionQuestion[]) {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Puts a question in line; `ConnectionQuestions` shows one at a time. Returns its withdrawal, for an opening that is over. */
export function putQuestion(question: Omit<ConnectionQuestion, 'id'>): () => void {
  const id = nextId++;
  const withdraw = () => publish(waiting.filter((each) => each.id !== id));
  const { answer } = question.about;
  const about = {
    ...question.about,
    // Gone with the first answer: what comes of it takes its time.
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
