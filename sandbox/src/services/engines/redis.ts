import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../../machine/files.ts';
import { type Engine, folderWith, type ServicePlace, underAccount, versionOfProgram } from './engine.ts';

const port = '6379';

/** Debian's Redis. */
export function redisEngine(): Engine | null {
  const bin = folderWith(['/usr/bin', '/usr/local/bin'], ['redis-server', 'redis-cli']);
  if (bin === undefined) return null;
  const cli = join(bin, 'redis-cli');
  const login = ({ service, address }: ServicePlace) => ({
    argv: ['-h', address, '-p', port, '--no-auth-warning'],
    env: { REDISCLI_AUTH: service.password },
  });
  const ask = (place: ServicePlace, word: string) => {
    const { argv, env } = login(place);
    return spawnSync(cli, [...argv, word], { encoding: 'utf8', env: { ...process.env, ...env } }).stdout;
  };
  return {
    version: () => versionOfProgram(join(bin, 'redis-server')),
    stopSignal: 'SIGTERM',
    create({ folder, dataFolder, address, service, account }) {
      const settings = [
        `bind ${address}`,
        `port ${port}`,
        `requirepass ${service.password}`,
        `dir ${dataFolder}`,
        'dbfilename dump.rdb',
        'save 3600 1 300 100 60 10000',
      ];
      mkdirSync(dataFolder, { recursive: true });
      chownSync(dataFolder, account.uid, account.gid);
      const file = join(folder, 'config/redis.conf');
      writeText(file, `${settings.join('\n')}\n`, 0o640);
      chownSync(file, account.uid, account.gid);
    },
    // As the image's own entry point: a file that somebody else put there becomes the account's.
    command: ({ folder, dataFolder, account }) =>
      [
        ...(process.getuid?.() === 0 ? [`chown -R ${account.uid}:${account.gid} '${dataFolder}';`] : []),
        `exec ${underAccount(account)} ${join(bin, 'redis-server')} '${folder}/config/redis.conf'`,
      ].join(' '),
    isReady: (place) => ask(place, 'PING').trim() === 'PONG',
    exportData(place, start) {
      ask(place, 'SAVE');
      return start(['cat', join(place.dataFolder, 'dump.rdb')], {});
    },
    // The service plugin's import never comes so far: see `importData` of the commands.
    importData: async () => 1,
    connect(place, start) {
      const { argv, env } = login(place);
      return start([cli, ...argv], env);
    },
  };
}
