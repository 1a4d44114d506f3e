import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteWord } from '@homeport/contract/quoting';
import type { SandboxHost } from '@homeport/sandbox';

/**
 * Writes the program of a login on the demo's host, which is the forced command of each key: a shell with the sandbox's programs in
 * front. On a real server pushes go to another account, but here one account stands for all. So git's own two commands go to Dokku
 * when Dokku knows the key. Resolves with the program's path, which needs no quoting in a shell or in authorized_keys.
 */
export async function writeLoginProgram(folder: string, sandbox: SandboxHost): Promise<string> {
  const path = join(folder, 'login');
  const env = Object.entries(sandbox.env).map(([name, value]) => `export ${name}=${quoteWord(value)}`);
  const text = `#!/bin/sh
# Written by Homeport's demo at each start. Usage: login BASE64-OF-THE-PUBLIC-KEY
set -f
${env.join('\n')}
case \${SSH_ORIGINAL_COMMAND:-} in
  git-receive-pack\\ *|git-upload-pack\\ *)
    name=$(grep -F " $1" ${quoteWord(sandbox.authorizedKeysFile)} | sed -n 's|^.*/dokku-key \\([^ "]*\\)",.*$|\\1|p' | head -n 1)
    if [ -z "$name" ]; then
      echo 'This key may not push here: choose it when you create the app.' >&2
      exit 1
    fi
    exec ${quoteWord(join(sandbox.root, 'bin/dokku-key'))} "$name"
    ;;
  ?*) exec /bin/sh -c "$SSH_ORIGINAL_COMMAND" ;;
  *) exec "\${SHELL:-/bin/sh}" ;;
esac
`;
  await writeFile(path, text, { mode: 0o755 });
  return path;
}
