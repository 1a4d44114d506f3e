import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Spoil } from '../src/cloudflare/index.ts';
import type { BadAnswer } from './cloudflare-verbs.ts';

export type Spoiler = {
  /** Given to the stand-in, which asks before each of its own answers. */
  spoil: Spoil;
  /** Null: the stand-in answers by itself. */
  answerWith(bad: BadAnswer | null): void;
  /** The next request for this path waits for `answerHeld`. */
  holdNext(path: string): void;
  /** Resolves as soon as that request waits. */
  isHolding(): Promise<void>;
  answerHeld(bad: BadAnswer): void;
};

/** Answers in place of Cloudflare, as a test says. */
export function createSpoiler(): Spoiler {
  let always: BadAnswer | null = null;
  let awaited: string | null = null;
  let held: ServerResponse | null = null;
  const came = new EventEmitter();
  return {
    spoil({ path, headers }, response) {
      if (path === awaited) {
        awaited = null;
        held = response;
        came.emit('held');
        return true;
      }
      if (always) give(always, response, headers.authorization ?? '');
      return always !== null;
    },
    answerWith(bad) {
      always = bad;
    },
    holdNext(path) {
      awaited = path;
    },
    async isHolding() {
      if (!held) await once(came, 'held');
    },
    answerHeld(bad) {
      if (!held) throw new Error('No request waits.');
      give(bad, held, '');
      held = null;
    },
  };
}

function give(bad: BadAnswer, response: ServerResponse, authorization: string): void {
  if (bad === 'hang_up') response.destroy();
  else
    response.writeHead(bad.status, bad.headers).end(bad.body.replace('{authorization}', () => authorization));
}
