import { Exit, type SandboxCommand } from '../../machine/call.ts';
import { allowed, readKeys } from '../../machine/keys.ts';

export const sshKeysList: SandboxCommand = {
  name: 'ssh-keys:list',
  run: (call) => {
    const format = call.words.indexOf('--format');
    const kind = format < 0 ? 'text' : call.words[format + 1];
    const name =
      call.words.find((word, at) => !word.startsWith('--') && at !== format + 1) ??
      (format < 0 ? call.words[0] : undefined);
    if (kind !== 'json' && kind !== 'text')
      call.fail('Invalid output format specified, supported formats: json, text');
    const keys = readKeys(call.state.paths);
    if (keys.length === 0) {
      call.err('authorized_keys is empty for dokku');
      throw new Exit(1);
    }
    const found = keys.filter((key) => name === undefined || key.name === name);
    if (kind === 'json') {
      const rows = found.map((key) => ({
        fingerprint: key.fingerprint,
        name: key.name,
        SSHCOMMAND_ALLOWED_KEYS: allowed,
        'public-key': key.publicKey,
      }));
      return call.out(JSON.stringify(rows));
    }
    if (found.length === 0) throw new Exit(1);
    for (const key of found)
      call.out(`${key.fingerprint} NAME="${key.name}" SSHCOMMAND_ALLOWED_KEYS="${allowed}"`);
  },
};
