import { describe, expect, it } from 'vitest';
import { deployWorkflow, keyscanCommand } from './deploy-workflow.ts';

describe('continuous deployment', () => {
  it('pushes to the address of the app, quoted where the shell would read it otherwise', () => {
    expect(deployWorkflow('dokku@203.0.113.24:ledger')).toContain(
      'git push dokku@203.0.113.24:ledger HEAD:main',
    );
    expect(deployWorkflow("ssh://dokku@h:2222/a'b; id")).toContain(
      String.raw`git push 'ssh://dokku@h:2222/a'\''b; id' HEAD:main`,
    );
  });
  it('takes the key and the host key from secrets and holds no value of them', () => {
    const text = deployWorkflow('dokku@h:a');
    expect(text).toContain(`DEPLOY_KEY: \${{ secrets.DEPLOY_KEY }}`);
    expect(text).toContain(`KNOWN_HOSTS: \${{ secrets.KNOWN_HOSTS }}`);
    expect(text).not.toContain('StrictHostKeyChecking=no');
  });
  it('asks the server for its host key on the port that ssh uses', () => {
    expect(keyscanCommand({ host: '203.0.113.24', port: 2222 })).toBe('ssh-keyscan -p 2222 203.0.113.24');
  });
});
