import { CommandProblem } from './command-problem.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Reads standard input to its end. @throws CommandProblem if it is longer than `most` characters */
export function readInput({ stdin }: Pick<Terminal, 'stdin'>, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const stop = (settle: () => void) => {
      stdin.off('data', take);
      stdin.off('end', end);
      stdin.pause();
      settle();
    };
    const end = () => stop(() => resolve(text));
    const take = (part: string) => {
      text += part;
      if (text.length > most)
        stop(() =>
          reject(
            new CommandProblem(exitCodes.usage, 'The input is too long.', {
              recovery: `Give at most ${most} characters.`,
            }),
          ),
        );
    };
    stdin.setEncoding('utf8');
    stdin.on('data', take);
    stdin.on('end', end);
    stdin.resume();
  });
}
