import { keepRefusal, type Store } from '@homeport/store';
import { inTurn } from './in-turn.ts';

export type Refusals = {
  /** Says that this version of a proxy is served, or why not. */
  tell(store: Store, proxy: { id: string; version: number }, refusal: string | null): void;
  /** Resolves when everything was said. */
  idle(): Promise<void>;
};

/** Tells the store in turn which rules are not served. The next change of the rules does not wait for that. */
export function reportRefusals(failed: (error: unknown) => void): Refusals {
  const telling = inTurn(failed);
  return {
    tell(store, { id, version }, refusal) {
      telling.run(() => keepRefusal(store.pool, { id, version, refusal })).catch(() => undefined);
    },
    idle: telling.idle,
  };
}
