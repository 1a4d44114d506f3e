import type { SandboxCommand } from '../../machine/call.ts';
import { readText, writeText } from '../../machine/files.ts';
import { readKeys } from '../../machine/keys.ts';

export const sshKeysRemove: SandboxCommand = {
  name: 'ssh-keys:remove',
  run: (call) => {
    const byFingerprint = call.words[0] === '--fingerprint';
    const word = call.words[byFingerprint ? 1 : 0];
    if (word === undefined) call.fail('A name is required to remove a key, ie: dokku ssh-keys:remove <name>');
    const keys = readKeys(call.state.paths);
    if (keys.length === 0) call.fail('No public keys found.');
    const gone = keys.filter((key) => (byFingerprint ? key.fingerprint : key.name) === word);
    const lines = (readText(call.state.paths.keys) ?? '').split('\n');
    const kept = lines.filter((line) => !gone.some((key) => line.endsWith(key.publicKey)));
    writeText(call.state.paths.keys, kept.join('\n'), 0o600);
  },
};
