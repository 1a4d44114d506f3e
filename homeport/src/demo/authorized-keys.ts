import { readFile, rename, writeFile } from 'node:fs/promises';

/** One line of authorized_keys (sshd(8)) as this demo and the sandbox write them: a forced command and a public key. */
export type ForcedLogin = { command: string; publicKeyBlob: Buffer };

/** A quote within the command has a backslash before it (sshd(8)). */
const forced = /^command="((?:[^"\\]|\\.)*)"/;

/** The logins of several files in order, because sshd takes the first line that fits a key. */
export async function readLogins(files: readonly string[]): Promise<ForcedLogin[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts
    .join('\n')
    .split('\n')
    .flatMap((text) => {
      const [option, command] = forced.exec(text) ?? [];
      if (!option || !command) return [];
      const [, type = '', blob = ''] = text.slice(option.length).split(' ');
      if (!/^(?:ssh|ecdsa|sk)-/.test(type) || !/^[A-Za-z0-9+/=]+$/.test(blob)) return [];
      return [{ command: command.replaceAll('\\"', '"'), publicKeyBlob: Buffer.from(blob, 'base64') }];
    });
}

/** Lets exactly these public keys in, each to the login program. sshd reads the file again for every login. */
export async function writeLogins(
  file: string,
  loginProgram: string,
  publicKeys: readonly string[],
): Promise<void> {
  const lines = publicKeys.map((publicKey) => {
    const [type = '', blob = ''] = publicKey.split(' ');
    return `command="${loginProgram} ${blob}",no-agent-forwarding,no-port-forwarding,no-X11-forwarding,no-user-rc ${type} ${blob}\n`;
  });
  await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
