import { plainText } from '../ui/log/ansi.ts';

const longest = 200;

/**
 * The last words of a failed command: Dokku's last complaint (` !     …`), otherwise the last line. null
 * without any output.
 */
export function lastWords(outputTail: string): string | null {
  const lines = plainText(outputTail)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const complaint = lines.findLast((line) => line.startsWith('! '));
  const words = (complaint?.slice(2).trim() || lines.at(-1)) ?? null;
  return words !== null && words.length > longest ? `${words.slice(0, longest)}…` : words;
}
