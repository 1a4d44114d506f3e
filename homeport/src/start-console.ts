import { moveToNewerPostgres, openStore, type Store, type StoreOptions, watchSchema } from '@homeport/store';
import type { Logger } from 'pino';
import { decideCopy } from './archive/decide-copy.ts';
import type { Config } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { readSecrets } from './config/secrets.ts';
import { controlHost } from './proxy-service/service-settings.ts';
import {
  addressOf,
  keepProxyService,
  type PlaneParts,
  startProxyService,
} from './proxy-service/start-proxy-service.ts';
import type { Cleanup } from './shutdown.ts';
import { refuseTakenPort } from './taken-port.ts';

export type StartedConsole = {
  /** The console's address. Undefined when only the proxy service runs. */
  address: string | undefined;
  /** Where visitors of proxied domains come, and when. */
  proxyAddress: string | undefined;
  /** A demo's text for the person who started it. Undefined without a demo. */
  demo: string | undefined;
  /** Settles when the console cannot go on: the embedded PostgreSQL ended and does not come back, or a newer program changed the tables. */
  lost: Promise<Error>;
  /** Lets the proxy service go on when the console has to end, for the console that comes next. */
  handOver(): void;
};

/**
 * Starts the store, then the chosen services. Each started part is added to `cleanup` at once, so that a failed start leaves
 * nothing running. Throws `StartError`, `StoreError` and `ConfigError`.
 */
export async function startConsole(
  config: Config,
  environment: Environment,
  log: Logger,
  cleanup: Cleanup,
): Promise<StartedConsole> {
  const { services, host, port, proxy } = config;
  const onConsolePort = services.has('api') || services.has('monitor') || services.has('web');
  if (onConsolePort) await refuseTakenPort(host, port, '--port');
  // Beside the other services, a taken port matters only when there is a proxy: then the log says so.
  if (!onConsolePort) {
    await refuseTakenPort(proxy.host, proxy.port, 'HOMEPORT_PROXY_PORT');
    await refuseTakenPort(controlHost, proxy.controlPort, 'HOMEPORT_PROXY_CONTROL_PORT');
  }

  const report = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost');
  const { DATABASE_URL: url, DATABASE_URL_DIRECT: directUrl } = environment;
  const secrets = await readSecrets(environment, config.dataFolder);
  const beforeUpgrade = decideCopy({ config, environment, secrets, log });
  const awaitSchema = decideWait(services, url, log);
  const open = () =>
    openStore({
      ...{
        report,
        ...(url === undefined
          ? { dataFolder: config.dataFolder, programs: config.postgresPrograms }
          : { url, directUrl }),
      },
      // PostgreSQL starts beside it, in a process of its own.
      ...(onConsolePort && { waiting: () => void readServices().catch(() => {}) }),
      ...(awaitSchema ? { awaitSchema } : beforeUpgrade && { beforeUpgrade }),
    });
  // A data plane alone serves from its snapshot while the store of another machine is away.
  if (!onConsolePort && url !== undefined) return startPlaneAlone({ config, secrets, log, cleanup, open });
  // As with tables: only api and monitor change data.
  if (url === undefined && awaitSchema === undefined)
    await moveToNewerPostgres({
      ...{ dataFolder: config.dataFolder, programs: config.postgresPrograms },
      olderPrograms: config.olderPostgresPrograms,
      say: (text) => log.warn(text),
    });
  const store = await open();
  cleanup.add('the store', () => store.close());

  if (!onConsolePort) {
    const proxyAddress = await startProxyService({ config, secrets, log, cleanup, open: async () => store });
    return { ...alone, proxyAddress, lost: store.lost };
  }
  const schema = await watchSchema(store, (error) =>
    log.warn({ err: error }, 'the schema could not be read'),
  );
  cleanup.add('the watch of the schema', schema.stop);
  const parts = { config, secrets, store, log, cleanup };
  const beside = services.has('proxy') ? await keepProxyService(parts) : undefined;
  const { startWebServices } = await readServices();
  const demo = await startWebServices(parts);
  return {
    ...{ demo, address: config.publicUrl, lost: Promise.race([store.lost, schema.newer]) },
    proxyAddress: beside && `${addressOf(config)}, while there is a proxy`,
    handOver: () => beside?.handOver(),
  };
}

/** The pages alone wait so long for the process that upgrades the data. A supervisor starts them again. */
const schemaWithinMs = 60_000;

/**
 * Only api and monitor make and change tables. On an embedded PostgreSQL no other process could meanwhile, and the proxy service tries again
 * by itself: both only look.
 */
function decideWait(
  services: Config['services'],
  url: string | undefined,
  log: Pick<Logger, 'warn'>,
): StoreOptions['awaitSchema'] {
  if (services.has('api') || services.has('monitor')) return undefined;
  const waits = url !== undefined && services.has('web');
  return { withinMs: waits ? schemaWithinMs : 0, waits: (reason) => log.warn(reason) };
}

/** A data plane of its own has not half of the memory without the code of the other services. The code is read once, whoever asks. */
const readServices = () => import('./start-web-services.ts');

/** Of a proxy service without a console. */
const alone = { address: undefined, demo: undefined, handOver: () => undefined };

async function startPlaneAlone(parts: PlaneParts): Promise<StartedConsole> {
  let opened: Store | undefined;
  const open = async () => {
    opened = await parts.open();
    return opened;
  };
  parts.cleanup.add('the store', () => opened?.close());
  const proxyAddress = await startProxyService({ ...parts, open });
  return { ...alone, proxyAddress, lost: new Promise(() => {}) };
}
