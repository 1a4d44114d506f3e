import { hostKeyTypes } from '@homeport/contract/connections/facts';
import type { Server } from '@homeport/contract/servers/schema';
import type { Bytes } from '@homeport/signer/bytes';
import type { SigningKeys } from '@homeport/signer/key-types';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../data/call.ts';
import { topicKey } from '../data/query-keys.ts';
import { chooseCredential } from './choose-credential.ts';
import { openConnection } from './open-connection.ts';
import {
  declined,
  type FailedState,
  failed,
  type OpeningState,
  type ReadyState,
  type ServerPrompt,
} from './opening-state.ts';
import { putQuestion } from './questions.ts';
import { readTrust } from './server-trust.ts';

export interface ConnectOptions {
  /** Asks the user nothing: connects silently or ends as `declined`. */
  quiet?: boolean;
  /**
   * A password typed before, for this opening only. UTF-8. The bytes are zero-filled at the end, used or not.
   */
  password?: Bytes;
  /** Called with every state. `ConnectionQuestions` answers the questions, not this listener. */
  onState?: (state: OpeningState) => void;
  signal?: AbortSignal;
}

/**
 * Opens a connection from the console to `server` as `user`, with the server's linked credential. Questions
 * (host key, password, passphrase) appear in the page's one `ConnectionQuestions`. Never rejects.
 */
export async function connectTo(
  client: QueryClient,
  server: Server,
  user: string,
  options: ConnectOptions = {},
): Promise<ReadyState | FailedState> {
  const { quiet = false, password, signal } = options;
  const questions = questionsOf(server, user);
  try {
    if (quiet && !(await canBeQuiet(server))) return declined();
    const credential = await chooseCredential(client, server, quiet ? null : questions.unlock);
    if ('status' in credential) return credential;
    let typed = password;
    const onState = (state: OpeningState) => {
      options.onState?.(state);
      if (state.status === 'needs_password' && typed) {
        state.answer(typed);
        typed = undefined;
      } else if (state.status === 'needs_answers' && typed && asksForPassword(state.prompts)) {
        state.answer([new TextDecoder().decode(typed)]);
        typed = undefined;
      } else {
        questions.follow(state);
      }
    };
    return await openConnection({
      serverId: server.id,
      user,
      credential,
      listLive: () => call('GET /api/connections'),
      acceptHostKey: (fingerprint, algorithm) => storePin(server.id, fingerprint, algorithm),
      ...(quiet ? {} : { onState }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    return failed('interrupted', error instanceof Error ? error.message : 'The page could not connect.');
  } finally {
    password?.fill(0);
    questions.withdraw();
    void client.invalidateQueries({ queryKey: topicKey('connections') });
  }
}

/**
 * PAM asks for the password through keyboard-interactive: one prompt with hidden input (RFC 4256 section
 * 3.4).
 */
function asksForPassword(prompts: readonly ServerPrompt[]): boolean {
  return prompts.length === 1 && prompts[0]?.echo === false;
}

/**
 * The page must ask the user if it has no pin, needs a password, or the user wants a question before each
 * connection.
 */
async function canBeQuiet(server: Server): Promise<boolean> {
  const trust = await readTrust(server.id);
  return server.credential !== 'password' && trust.pin !== null && !trust.askEachTime;
}

/** Shows one question of this opening at a time. Each new state replaces the previous question. */
function questionsOf(server: Server, user: string) {
  let withdraw = () => {};
  const follow = (state: OpeningState) => {
    withdraw();
    withdraw = 'answer' in state ? putQuestion({ server, user, about: state }) : () => {};
  };
  const unlock = (held: Parameters<NonNullable<Parameters<typeof chooseCredential>[2]>>[0], pepper: string) =>
    new Promise<SigningKeys | null>((answer) => {
      withdraw = putQuestion({ server, user, about: { status: 'key_locked', held, pepper, answer } });
    });
  return { follow, unlock, withdraw: () => withdraw() };
}

/**
 * Stores the console's copy of the pin, or replaces it. The requested key type stays: with another type the
 * server might present a key that the user has not compared.
 */
async function storePin(serverId: string, to: string, algorithm: string | null): Promise<void> {
  const { hostKeyFingerprint: from, hostKeyAlgorithm } = await call('GET /api/servers/:id', {
    params: { id: serverId },
  });
  if (from === to) return;
  const type = hostKeyTypes.find((each) => each === (hostKeyAlgorithm || algorithm)) ?? null;
  await call('PUT /api/servers/:id/host-key', {
    params: { id: serverId },
    body: { from, to, algorithm: type },
  });
}
