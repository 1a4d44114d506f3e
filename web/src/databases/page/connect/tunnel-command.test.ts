import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tunnelTo } from './tunnel-command.ts';

const server = { ip: '203.0.113.24', port: 22, username: 'root', login: 'root' } as const;
const unexposed = { type: 'postgres', longname: 'ledger-x1', ports: [] } as const;
const database = (over: object = {}) => ({ ...unexposed, ports: [], ...over });
const exposed = (address: string | null) => [{ containerPort: 5432, address, hostPort: 21_000 }];

/** The words that a shell makes of the line. Within, `ssh` prints the words that it gets and then an address. */
function wordsOf(command: string): string[] {
  const script = `ssh() { printf '%s\\n' "$@" >&2; echo 172.17.0.5; }\nset -- ${command}\nprintf '%s\\n' "$@"`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trimEnd()
    .split('\n');
}

test('an unexposed database is reached at the address of its container, which Docker names', () => {
  const tunnel = tunnelTo(database(), server);
  expect(tunnel?.local).toBe('127.0.0.1:15432');
  expect(wordsOf(tunnel?.command ?? '')).toEqual([
    'ssh',
    '-N',
    '-L',
    '15432:172.17.0.5:5432',
    'root@203.0.113.24',
  ]);
  expect(tunnel?.command).toContain('docker inspect');
  expect(tunnel?.command).toContain('dokku.postgres.ledger-x1');
  expect(tunnel?.command).not.toContain('sudo');
});

test('an account that becomes root by sudo asks Docker by sudo, at the server’s own port', () => {
  const command = tunnelTo(database(), { ...server, port: 2222, username: 'ada', login: 'sudo' })?.command;
  expect(command).toContain('sudo docker inspect');
  expect(wordsOf(command ?? '').slice(-3)).toEqual(['-p', '2222', 'ada@203.0.113.24']);
});

test('a database on the server’s loopback needs no address of its container', () => {
  expect(tunnelTo(database({ ports: exposed('127.0.0.1') }), server)?.command).toBe(
    'ssh -N -L 15432:127.0.0.1:21000 root@203.0.113.24',
  );
  const { command = '' } = tunnelTo(database({ ports: exposed('::1') }), server) ?? {};
  expect(wordsOf(command)).toContain('15432:[::1]:21000');
});

test('a database that is open to others needs no tunnel', () => {
  for (const address of [null, '10.0.0.5', 'fd00::5'])
    expect(tunnelTo(database({ ports: exposed(address) }), server)).toBeNull();
});

test('ssh takes an IPv6 address after the account without brackets', () => {
  const ip = '2001:db8::24';
  expect(wordsOf(tunnelTo(database(), { ...server, ip })?.command ?? '').at(-1)).toBe(`root@${ip}`);
});
