import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const mostCharacters = 4_096;
const ctrlC = '\u0003';
const ctrlD = '\u0004';
const backspaces = ['\u007f', '\b'];

/**
 * Asks for one line at the terminal. The terminal echoes nothing; this function shows what is typed, unless it is a secret.
 *
 * @throws CommandProblem where nobody can be asked (`orElse` says how to answer then), and for Ctrl-C
 */
export async function askLine(
  { stdin, err, canAsk }: Pick<Terminal, 'stdin' | 'err' | 'canAsk'>,
  question: string,
  { isSecret, orElse }: { isSecret: boolean; orElse: string },
): Promise<string> {
  if (!canAsk || !stdin.setRawMode)
    throw new CommandProblem(exitCodes.waits, 'Nobody can be asked here: this is no terminal.', {
      recovery: orElse,
    });
  stdin.setEncoding('utf8');
  // Before the question, so that the terminal never shows a character of the answer.
  stdin.setRawMode(true);
  try {
    await err(question);
    return await readLine({ stdin, err }, isSecret);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    await err('\n');
  }
}

function readLine({ stdin, err }: Pick<Terminal, 'stdin' | 'err'>, isSecret: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const typed: string[] = [];
    const stop = (settle: () => void) => {
      stdin.off('data', take);
      stdin.off('end', gone);
      settle();
    };
    const give = () => stop(() => resolve(typed.join('')));
    const gone = () =>
      stop(() => reject(new CommandProblem(exitCodes.declined, 'Nothing was entered.', { recovery: '' })));
    const take = (text: string) => {
      const characters = [...text];
      for (const [at, character] of characters.entries()) {
        if (character === '\r' || character === '\n') {
          const rest = characters.slice(at + 1).join('');
          // A stream that flows loses what it puts back.
          stdin.pause();
          if (rest !== '') stdin.unshift(rest);
          return give();
        }
        if (character === ctrlC)
          return stop(() =>
            reject(new CommandProblem(exitCodes.interrupted, 'Interrupted.', { recovery: '' })),
          );
        if (character === ctrlD) return gone();
        if (backspaces.includes(character)) {
          if (typed.pop() !== undefined && !isSecret) void err('\b \b');
        } else if (character >= ' ' && typed.length < mostCharacters) {
          typed.push(character);
          if (!isSecret) void err(character);
        }
      }
    };
    stdin.on('data', take);
    stdin.on('end', gone);
    stdin.resume();
  });
}
