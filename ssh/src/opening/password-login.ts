import type { AuthHandlerMiddleware, NextAuthHandler, Prompt } from 'ssh2';
import { OpeningError } from '../failures.ts';
import type { Prompter } from './credential.ts';
import type { RunningHandshake } from './handshake.ts';
import { sendPasswordOnce } from './send-password.ts';
import { within } from './timeouts.ts';

export type PasswordLogin = {
  username: string;
  prompter: Prompter;
  promptTimeoutMs: number;
  signal: AbortSignal;
  onRefused(methodsLeft: string[]): void;
};

/**
 * Sends `none` first, to learn the server's methods before a person is asked. Then sends the password once. Then, where the
 * server offers it, asks the server's own questions (keyboard-interactive, RFC 4256).
 */
export function passwordLogin(login: PasswordLogin, handshake: RunningHandshake): AuthHandlerMiddleware {
  const untried = new Set(['password', 'keyboard-interactive']);
  let first = true;
  const orFail = (asking: Promise<void>) => void asking.catch((error) => handshake.fail(unanswered(error)));

  return (methodsLeft, _partial, next) => {
    if (first) {
      first = false;
      return next({ type: 'none', username: login.username });
    }
    login.onRefused(methodsLeft);
    const method = methodsLeft.find((candidate) => candidate === 'password' && untried.has(candidate));
    const fallback = methodsLeft.find(
      (candidate) => candidate === 'keyboard-interactive' && untried.has(candidate),
    );
    const chosen = method ?? fallback;
    // ssh2 reads `false` as "no more methods"; its types do not know that.
    if (!chosen) return next(false as never);
    untried.delete(chosen);
    if (chosen === 'password') return orFail(sendPassword(login, handshake, next));
    next({
      type: 'keyboard-interactive',
      username: login.username,
      prompt: (_name, _instructions, _language, prompts, finish) =>
        orFail(answerPrompts(login, prompts).then(finish)),
    });
  };
}

const promptCharacters = 1_024;

async function sendPassword(
  login: PasswordLogin,
  handshake: RunningHandshake,
  next: NextAuthHandler,
): Promise<void> {
  const password = await ask(login, (signal) => login.prompter.password(signal));
  try {
    // ssh2 would copy a packet that waits for new keys once more.
    await handshake.keysSettled();
    sendPasswordOnce(handshake.protocol());
    // A Buffer, because a string cannot be overwritten. ssh2 takes both; its types know the string only.
    next({ type: 'password', username: login.username, password: password as unknown as string });
  } finally {
    password.fill(0);
  }
}

/**
 * Answers are strings, because ssh2 takes only strings here (RFC 4256). They stay in memory until the garbage collector frees
 * them and the memory is used again.
 */
async function answerPrompts(login: PasswordLogin, prompts: Prompt[]): Promise<string[]> {
  if (prompts.some(({ prompt }) => prompt.length > promptCharacters)) {
    const message = 'The server asks a question that is too long to show.';
    throw new OpeningError({ code: 'password_refused', message });
  }
  const questions = prompts.map(({ prompt, echo }) => ({ text: prompt, echo: echo === true }));
  return ask(login, (signal) => login.prompter.interactive(questions, signal));
}

function ask<T>(login: PasswordLogin, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return within(
    login.promptTimeoutMs,
    login.signal,
    question,
    () => new OpeningError({ code: 'agent_timeout', message: 'No answer was typed in time.' }),
  );
}

function unanswered(error: unknown): OpeningError {
  if (error instanceof OpeningError) return error;
  return new OpeningError({ code: 'password_refused', message: 'The question was not answered.' }, error);
}
