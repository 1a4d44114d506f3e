import { closeSync, constants, openSync, readSync } from 'node:fs';

const bytesAtMost = 16 * 1024;

/**
 * The value of a secret setting: the variable, or the text of the file that the variable with `_FILE` behind its name names, without its
 * last line break. So supervisors hand secrets over that no environment shows: LoadCredential= of systemd.exec(5), secrets of Compose.
 * What is wrong is added to `mistakes`.
 */
export function readSecret(
  env: Record<string, string | undefined>,
  name: string,
  mistakes: string[],
): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name];
  if (env[name]) {
    mistakes.push(`${name} and ${name}_FILE are both set. Set one of them.`);
    return undefined;
  }
  try {
    const text = readWhole(file);
    if (text !== '') return text;
    mistakes.push(`${name}_FILE names ${file}, which is empty.`);
  } catch (error) {
    mistakes.push(`${name}_FILE names ${file}, which cannot be read: ${reasonOf(error)}.`);
  }
  return undefined;
}

/** No more is read than a secret can have, and a pipe without a writer does not hold the start up. */
function readWhole(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(bytesAtMost + 1);
    const length = readSync(descriptor, bytes);
    if (length > bytesAtMost) throw new Error(`it has more than ${bytesAtMost} bytes`);
    return bytes.toString('utf8', 0, length).replace(/\r?\n$/, '');
  } finally {
    closeSync(descriptor);
  }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
};
