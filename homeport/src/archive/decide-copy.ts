import { join } from 'node:path';
import type { OlderData, StoreOptions } from '@homeport/store';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import type { Secrets } from '../config/secrets.ts';

type Parts = {
  config: Pick<Config, 'dataFolder' | 'backups'>;
  environment: Pick<Environment, 'HOMEPORT_SECRET'>;
  secrets: Pick<Secrets, 'secret'>;
  log: Pick<Logger, 'info' | 'warn'>;
};

/**
 * What precedes an upgrade: a copy of the older data, or words in the log. A copy holds the console's secret. An operator who gives the
 * secret by the environment keeps it off this disk, so a copy in clear does not write it there.
 */
export function decideCopy({ config, environment, secrets, log }: Parts): StoreOptions['beforeUpgrade'] {
  const { beforeUpgrade, recipient } = config.backups;
  if (!beforeUpgrade) return undefined;
  if (recipient === null && environment.HOMEPORT_SECRET !== undefined)
    return async () =>
      log.warn(
        'The data are upgraded without a copy: it would hold HOMEPORT_SECRET in clear. Set HOMEPORT_BACKUP_RECIPIENT to a public key of age, and the next upgrade begins with an encrypted copy.',
      );
  return async (data: OlderData) => {
    const { copyBeforeUpgrade } = await import('./copy-before-upgrade.ts');
    const order = {
      ...{ folder: join(config.dataFolder, 'upgrades'), secret: secrets.secret },
      ...{ recipient, clock: Date.now },
    };
    const file = await copyBeforeUpgrade(order, data);
    log.info({ file }, 'the data were copied before the upgrade');
  };
}
