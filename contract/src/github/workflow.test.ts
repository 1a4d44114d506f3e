import { describe, expect, it } from 'vitest';
import { deployWorkflow, gitUrl, keyscanCommand, knownHostsLine } from './workflow.ts';

const plain = {
  longname: 'ledger',
  remoteUrl: 'dokku@203.0.113.24:ledger',
  branch: 'main',
  deployBranch: 'main',
  hostKey: null,
};

describe('continuous deployment', () => {
  it('deploys each push to the default branch to the address of the app, as the branch that Dokku builds', () => {
    const text = deployWorkflow({ ...plain, branch: 'trunk', deployBranch: 'release' });
    expect(text).toContain('branches: ["trunk"]');
    expect(text).toContain('branch: "release"');
    expect(text).toContain('git_remote_url: "ssh://dokku@203.0.113.24:22/ledger"');
  });
  it('writes every value so that YAML reads the same value back', () => {
    const text = deployWorkflow({ ...plain, remoteUrl: 'ssh://dokku@h:2222/a"b', branch: 'no' });
    expect(text).toContain('branches: ["no"]');
    expect(text).toContain(String.raw`git_remote_url: "ssh://dokku@h:2222/a\"b"`);
  });
  it('takes the key and the host key from secrets and holds no value of them', () => {
    const text = deployWorkflow(plain);
    expect(text).toContain(`ssh_private_key: \${{ secrets.SSH_PRIVATE_KEY }}`);
    expect(text).toContain(`ssh_host_key: \${{ secrets.SSH_HOST_KEY }}`);
    expect(text).not.toContain('PRIVATE KEY-----');
  });
  it('pins the host key where it is known, with the port beside the host', () => {
    const hostKey = knownHostsLine(
      { host: '203.0.113.24', port: 2222 },
      { type: 'ssh-ed25519', blob: 'AAAA' },
    );
    expect(hostKey).toBe('[203.0.113.24]:2222 ssh-ed25519 AAAA');
    expect(deployWorkflow({ ...plain, hostKey })).toContain(
      'ssh_host_key: "[203.0.113.24]:2222 ssh-ed25519 AAAA"',
    );
    expect(knownHostsLine({ host: 'h', port: 22 }, { type: 't', blob: 'b' })).toBe('h t b');
  });
  it('asks the server for its host key on the port that ssh uses', () => {
    expect(keyscanCommand({ host: '203.0.113.24', port: 2222 })).toBe('ssh-keyscan -p 2222 203.0.113.24');
  });
});

describe('the address as a URL', () => {
  it('writes the short form out, and leaves a URL alone', () => {
    expect(gitUrl('dokku@host.example:app')).toBe('ssh://dokku@host.example:22/app');
    expect(gitUrl('dokku@[2001:db8::1]:app')).toBe('ssh://dokku@[2001:db8::1]:22/app');
    expect(gitUrl('ssh://dokku@h:2222/app')).toBe('ssh://dokku@h:2222/app');
  });
});
