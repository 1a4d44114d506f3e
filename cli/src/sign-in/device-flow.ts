import { asUserCode, isUserCode, shownUserCode, withoutAddress } from '@homeport/contract/device/facts';
import { nameCharacters } from '@homeport/contract/fields/facts';
import { withoutHidden } from '@homeport/contract/fields/shown-text';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { askConsole, type Console, noSense } from '../console/ask-console.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { checkedToken } from './token-text.ts';

/** A console that says otherwise is not obeyed: nobody is asked to type more than a code, and nothing waits for hours. */
const codesShape = z.object({
  device_code: z.string().min(20).max(100),
  user_code: z.string().max(20).transform(asUserCode).refine(isUserCode).transform(shownUserCode),
  interval: z.number().int().min(1).max(60),
  expires_in: z.number().int().min(30).max(1_800),
});
const answerShape = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['authorization_pending', 'slow_down', 'expired_token', 'access_denied']) }),
  z.object({ state: z.literal('approved'), access_token: z.string(), account: z.string() }),
]);
/** RFC 8628, 3.5. */
const slowerBySeconds = 5;

/**
 * Signs in with a code that the person types in a browser (RFC 8628). The address is this console's own page: what the console names
 * as one is not shown, so that it sends nobody elsewhere.
 *
 * @throws CommandProblem for a declined sign-in, one that nobody approved in time, and Ctrl-C
 */
export async function signInByCode(
  console: Console,
  terminal: Terminal,
): Promise<{ token: string; account: string }> {
  const codes = await post(console, '/api/device', describeMachine(terminal), codesShape).catch(
    (error: unknown) => {
      if (error instanceof CommandProblem && error.exit === exitCodes.notFound) throw tooOld();
      throw error;
    },
  );
  await terminal.err(
    [
      `Open ${console.origin}/device in a browser where you are signed in, and type this code:`,
      '',
      `    ${codes.user_code}`,
      '',
      `It ends in ${Math.ceil(codes.expires_in / 60)} minutes. Waiting for you; Ctrl-C stops.`,
      '',
    ].join('\n'),
  );
  let seconds = codes.interval;
  // The codes end with the console's time; this counts what was waited.
  for (let waited = 0; waited < codes.expires_in; waited += seconds) {
    await pause(terminal, seconds);
    const body = { device_code: codes.device_code };
    const answer = await post(console, '/api/device/token', body, answerShape).catch((error: unknown) => {
      if (error instanceof CommandProblem && (error.passes || error.code === 'too_many')) return null;
      throw error;
    });
    if (answer?.state === 'approved')
      return { token: checkedToken(answer.access_token, 'The answer'), account: answer.account };
    if (answer?.state === 'access_denied')
      throw new CommandProblem(exitCodes.declined, 'The sign-in was declined.', { recovery: '' });
    if (answer?.state === 'expired_token') break;
    if (answer?.state === 'slow_down') seconds += slowerBySeconds;
  }
  throw new CommandProblem(exitCodes.waits, 'Nobody approved the sign-in in time.', {
    recovery: 'Run `homeport login` again, and type the new code.',
  });
}

async function post<S extends z.ZodType>(
  console: Console,
  path: string,
  body: object,
  shape: S,
): Promise<z.output<S>> {
  const text = await askConsole(console, { method: 'POST', path, body: JSON.stringify(body) });
  const read = shape.safeParse(JSON.parse(text));
  if (!read.success) throw noSense();
  return read.data;
}

/** What the person sees on the page, to know the own machine. */
function describeMachine({ machine }: Pick<Terminal, 'machine'>) {
  const said = (text: string, orElse: string) =>
    withoutHidden(text).trim().slice(0, nameCharacters).trim() || orElse;
  return {
    // A host may be called `a/b`, and the console takes no address for a name.
    name: said(withoutAddress(machine.name), 'a machine without a name'),
    platform: said(machine.platform, 'unknown'),
  };
}

async function pause({ interrupted, wait }: Terminal, seconds: number): Promise<void> {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    interrupted.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([wait(seconds * 1_000), stopped]);
  interrupted.removeEventListener('abort', stop);
  if (interrupted.aborted)
    throw new CommandProblem(exitCodes.interrupted, 'Interrupted.', {
      recovery: 'The code ends by itself; nobody can use it without this command.',
    });
}

const tooOld = () =>
  new CommandProblem(exitCodes.failed, 'This console does not know sign-ins by a code.', {
    recovery: 'Update the console, or hand an API token over standard input with --token-stdin.',
  });
