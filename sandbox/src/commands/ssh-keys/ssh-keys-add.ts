import { appendFileSync } from 'node:fs';
import { fingerprintOf } from '@homeport/dokku/fingerprint';
import { type Call, Exit, type SandboxCommand } from '../../machine/call.ts';
import { readText } from '../../machine/files.ts';
import { keyLine, readKeys } from '../../machine/keys.ts';

export const sshKeysAdd: SandboxCommand = {
  name: 'ssh-keys:add',
  run: async (call) => {
    const [name, file] = call.words;
    if (name === undefined) {
      call.err('Usage: sshcommand acl-add <USER> <NAME> <KEY_FILE> ');
      refuse(call);
    }
    const text =
      file === undefined ? await call.stdin() : (readText(file) ?? call.fail('Empty key was specified'));
    if (text === null) return call.fail('No key specified via file or pipe');
    // The shell's `read` fails on a line without an end: exit code 1 and no message.
    if (!text.includes('\n')) throw new Exit(1);
    const key = text.slice(0, text.indexOf('\n')).trim();
    const fingerprint = isKey(key) ? fingerprintOf(key) : null;
    if (!fingerprint) return call.fail('Key specified in is not a valid ssh public key');
    const keys = readKeys(call.state.paths);
    if (keys.some((known) => known.name === name)) refuse(call, 'Duplicate ssh key name');
    if (keys.some((known) => known.fingerprint === fingerprint))
      refuse(call, 'Duplicate ssh public key specified');
    appendFileSync(call.state.paths.keys, keyLine(call.state.paths, name, fingerprint, key), { mode: 0o600 });
    call.out(fingerprint);
  },
};

/** Whether the blob names the line's type and has the length that its parts announce (RFC 4253, 6.6). */
function isKey(line: string): boolean {
  const [type = '', text = ''] = line.split(/\s+/);
  if (!/^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-\S+)$/.test(type)) return false;
  const blob = Buffer.from(text, 'base64');
  let at = 0;
  let parts = 0;
  while (at + 4 <= blob.length) {
    at += 4 + blob.readUInt32BE(at);
    parts += 1;
  }
  return at === blob.length && parts >= 2 && blob.subarray(4, 4 + type.length).toString() === type;
}

function refuse(call: Call, text?: string): never {
  if (text) call.err(text);
  return call.fail('sshcommand returned an error: 1');
}
