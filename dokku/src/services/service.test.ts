import { describe, expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import type { Command } from '../command.ts';
import { failureOf } from '../failures.ts';
import { appName } from '../names/app-name.ts';
import { serviceName } from '../names/service-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { argvFor } from '../ways.ts';
import { readPorts } from './read-service.ts';
import * as service from './service.ts';

const main = serviceName('main-db');
const hello = appName('hello');
const recordings = ['postgres', 'redis', 'mysql'] as const;

/** The whole argv as root sends it. */
const line = (command: Command) => argvFor({ kind: 'root' }, command).join(' ');

describe('commands', () => {
  const commands: [Command, string][] = [
    [service.create('postgres', main), 'dokku postgres:create main-db'],
    [
      service.create('redis', main, { imageVersion: '8.8.0', memoryMb: 128 }),
      'dokku redis:create main-db --image-version 8.8.0 --memory 128',
    ],
    [service.exists('mongo', main), 'dokku mongo:exists main-db'],
    [service.list('mysql'), 'dokku --quiet mysql:list'],
    [service.info('clickhouse', main), 'dokku clickhouse:info main-db'],
    [service.dsn('postgres', main), 'dokku postgres:info main-db --dsn'],
    [service.link('redis', main, hello), 'dokku redis:link main-db hello --no-restart'],
    [service.unlink('redis', main, hello), 'dokku redis:unlink main-db hello --no-restart'],
    [service.links('redis', main), 'dokku redis:links main-db'],
    [service.promote('redis', main, hello), 'dokku redis:promote main-db hello'],
    [
      service.expose('clickhouse', main, ['127.0.0.1:20900', '127.0.0.1:20123']),
      'dokku clickhouse:expose main-db 127.0.0.1:20900 127.0.0.1:20123',
    ],
    [service.unexpose('redis', main), 'dokku redis:unexpose main-db'],
    [service.start('memcached', main), 'dokku memcached:start main-db'],
    [service.pause('memcached', main), 'dokku memcached:pause main-db'],
    [service.restart('memcached', main), 'dokku memcached:restart main-db'],
    [service.destroy('postgres', main), 'dokku postgres:destroy main-db --force'],
    [service.logs('postgres', main, { lines: 200, follow: true }), 'dokku postgres:logs main-db --tail 200'],
    [service.logs('postgres', main, { lines: 5, follow: false }), 'dokku postgres:logs main-db --num 5'],
  ];

  test.each(commands.map(([command, words]) => [words, command] as const))('%s', (words, command) => {
    expect(line(command)).toBe(`env LC_ALL=C ${words}`);
    expect(command).toMatchObject({ needsRoot: false });
    expect(command.stdin).toBeUndefined();
  });

  test('a name is one word of the command and never an option, whatever a server calls its services', () => {
    for (const name of ['-x', '--force', 'a b', 'a;b', '$(id)', '', '.hidden', '../x', 'x'.repeat(129)])
      expect(() => serviceName(name)).toThrow();
    expect(['Main_DB', '9lives', '_old', 'old.v2'].map(serviceName)).toHaveLength(4);
  });
});

describe('answers of the real server', () => {
  test.each(recordings)('reads the whole of a new %s service', (type) => {
    const info = service.readInfo(recorded(type, 'info'));
    expect(info).toEqual({
      state: 'running',
      dsn: service.readDsn(recorded(type, 'info --dsn')),
      ports: [],
      links: [],
      imageVersion: { postgres: '18.4', redis: '8.8.0', mysql: '9.7.0' }[type],
      containerId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(service.readInfo(recorded(type, 'create'))).toEqual(info);
  });

  test.each(recordings)('reads the links of a %s service', (type) => {
    const apps = service.readLinks(recorded(type, 'links'));
    expect(apps).toHaveLength(2);
    expect(service.readInfo(recorded(type, 'info after link')).links).toEqual(apps);
  });

  test.each(recordings)('reads a list of %s services, also an empty one', (type) => {
    expect(service.readList(recorded(type, 'list quiet'))).toEqual(['main-db', 'second_db', 'third']);
    expect(service.readList(recorded(type, 'list'))).toEqual(['main-db', 'second_db', 'third']);
    expect(service.readList(recorded(type, 'list quiet, none'))).toEqual([]);
  });

  test.each(recordings)(
    'reads a stopped %s service, whose container is gone, and one that is started anew',
    (type) => {
      expect(service.readInfo(recorded(type, 'info, stopped'))).toMatchObject({
        state: 'missing',
        imageVersion: null,
        links: ['overssh'],
      });
      expect(service.readInfo(recorded(type, 'start after stop'))).toMatchObject({ state: 'running' });
    },
  );

  test('reads exposed ports with and without an address', () => {
    const ports = (title: string) => readPorts(recorded('redis', title).stdout.trim());
    expect(ports('info --exposed-ports')).toEqual([]);
    expect(ports('info --exposed-ports, exposed')).toEqual([
      { containerPort: 6379, address: null, hostPort: 16379 },
    ]);
    expect(ports('info --exposed-ports, loopback')).toEqual([
      { containerPort: 6379, address: '127.0.0.1', hostPort: 26379 },
    ]);
  });

  test('reads several pairs, and leaves out what is no port', () => {
    expect(readPorts('27017->20001 27018->0.0.0.0:20002 27019->[::1]:20003 28017->abc ')).toEqual([
      { containerPort: 27017, address: null, hostPort: 20001 },
      { containerPort: 27018, address: null, hostPort: 20002 },
      { containerPort: 27019, address: '::1', hostPort: 20003 },
    ]);
    expect(readPorts('5432->[fd00::5]:20432 6379->[::]:20433')).toEqual([
      { containerPort: 5432, address: 'fd00::5', hostPort: 20432 },
      { containerPort: 6379, address: null, hostPort: 20433 },
    ]);
    for (const address of [null, '127.0.0.1', 'fd00::5']) {
      const port = { containerPort: 5432, address, hostPort: 20_432 };
      expect(readPorts(`5432->${service.exposeWord(port)} `)).toEqual([port]);
    }
    expect(readPorts('5432->99999 5432->1->2 ->5 5432')).toEqual([]);
  });

  test.each([
    ['redis:8.8.0', '8.8.0'],
    ['registry.example:5000/clickhouse/clickhouse-server:26.5.1.882', '26.5.1.882'],
    ['postgres:18.4@sha256:abc', '18.4'],
    ['registry.example:5000/postgres', null],
    ['postgres', null],
  ])('reads the version of the image %s', (image, version) => {
    const real = recorded('redis', 'info');
    const stdout = real.stdout.replace('redis:8.8.0', image);
    expect(service.readInfo({ ...real, stdout }).imageVersion).toBe(version);
  });

  test('a state that Docker alone knows is unknown, and an answer without a state is refused without its secret', () => {
    const real = recorded('redis', 'info');
    const told = (stdout: string) => service.readInfo({ ...real, stdout });
    expect(told(real.stdout.replace(/running +/, 'dead')).state).toBe('unknown');
    const cut = real.stdout.slice(0, real.stdout.indexOf('       Status'));
    expect(() => told(cut)).toThrow(UnreadableOutputError);
    try {
      told(cut);
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('84882539');
    }
    expect(() => service.readDsn(real)).toThrow(UnreadableOutputError);
  });
});

describe('failures', () => {
  test.each(recordings)('reads the failures of %s', (type) => {
    const failures = {
      'create, again': { code: 'service_exists' },
      'create, bad name': { code: 'service_name_invalid' },
      'create, image that cannot be pulled': { code: 'image_pull_failed', image: `${type}:0.0.1` },
      'exists, missing': { code: 'service_missing', service: 'nope' },
      'destroy, linked': { code: 'service_linked' },
      'link, again': {
        code: 'already_linked',
        variable: type === 'redis' ? 'REDIS_URL' : 'DATABASE_URL',
      },
      'link, missing service': { code: 'service_missing', service: 'nope' },
      'link, missing app': { code: 'app_missing', app: 'nope' },
      'promote again': {
        code: 'already_promoted',
        variable: type === 'redis' ? 'REDIS_URL' : 'DATABASE_URL',
      },
      'unlink, not linked': { code: 'not_linked', app: 'overssh' },
      'expose again': {
        code: 'already_exposed',
        ports: { postgres: '15432', redis: '16379', mysql: '13306' }[type],
      },
      'expose another, port taken': { code: 'port_taken' },
      'logs, stopped': { code: 'service_container_missing' },
    };
    for (const [title, failure] of Object.entries(failures))
      expect(failureOf(recorded(type, title)), title).toEqual(failure);
  });

  test.each(recordings)('reads a repeated start, stop and unexpose of %s as a success', (type) => {
    for (const title of ['start again', 'pause again', 'stop again', 'unexpose again', 'logs, paused'])
      expect(failureOf(recorded(type, title)), title).toBeNull();
  });

  test('tells a container that does not answer from a program that listens on its port', () => {
    const failed = (stdout: string, stderr = '') => failureOf({ exitCode: 1, stdout, stderr })?.code;
    expect(failed('=====> Start of main-db container output\n       FATAL: no space left\n')).toBe(
      'service_not_ready',
    );
    expect(failed('', 'docker: Error: failed to bind host port 0.0.0.0:80/tcp: address already in use')).toBe(
      'port_taken',
    );
    expect(failed('', ' !     Specified alias CACHE already in use\n')).toBe('alias_taken');
  });
});

describe('secrets', () => {
  const passwords = /84882539|6681cae6|38c1f152|hunter2|6dcd0104|1cd074e5|e004eb73/;

  test.each(recordings)('conceals the passwords of everything that %s printed', (type) => {
    const titles = [
      'create',
      'info',
      'info --dsn',
      'start after stop',
      'promote',
      'config of the linked app',
    ];
    const linking = ['link --no-restart', 'link, alias given', 'link to a deployed app, restarts it'];
    for (const title of [...titles, ...linking]) {
      const { stdout } = recorded(type, title);
      expect(stdout, title).toMatch(passwords);
      expect(service.withoutSecrets(stdout), title).not.toMatch(passwords);
      expect(service.withoutSecrets(stdout), title).toContain('••••••@dokku-');
    }
  });

  test('keeps all other text, also addresses without a password', () => {
    for (const text of [
      'memcached://dokku-memcached-main:11211',
      'see https://example.com/a:b and mail ops@example.com',
      'ssh://git@example.com/x.git',
      '-----> Container started\n\n',
      '',
    ])
      expect(service.withoutSecrets(text)).toBe(text);
  });

  test.each(['p@ss', 'p:w', 'p/w?x#y', 'p w', '://', '@', '••••••', 'a://b:c@d'])(
    'conceals the password %j where the line holds one connection string',
    (password) => {
      const dsn = `postgres://postgres:${password}@dokku-postgres-main-db:5432/main_db`;
      const without = 'postgres://postgres:••••••@dokku-postgres-main-db:5432/main_db';
      for (const label of ['       Dsn:                 ', '       DATABASE_URL:  ', 'DOKKU_MYSQL_AQUA_URL='])
        expect(service.withoutSecrets(`${label}${dsn}`)).toBe(`${label}${without}`);
    },
  );

  test('takes linear time, whatever the text repeats', () => {
    // A pattern that goes back for each part would take hours.
    for (const part of ['://', '://:', ':@', '://a:b@', ' ', 'X_URL:'])
      expect(service.withoutSecrets(part.repeat(1_000_000 / part.length))).not.toBe('');
  });
});
