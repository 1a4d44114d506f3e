import { openStore, type Store } from '@homeport/store';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { readSecrets } from './config/secrets.ts';
import type { Cleanup } from './shutdown.ts';
import { controlHost, type PlaneParts, startProxyService } from './start-proxy-service.ts';
import { refuseTakenPort } from './taken-port.ts';

export type StartedConsole = {
  /** The console's address. Undefined when only the proxy service runs. */
  address: string | undefined;
  proxyAddress: string | undefined;
  /** A demo's text for the person who started it. Undefined without a demo. */
  demo: string | undefined;
  /** Settles when the console cannot go on: the embedded PostgreSQL ended. */
  lost: Promise<Error>;
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
  if (services.has('proxy')) {
    await refuseTakenPort(proxy.host, proxy.port, 'HOMEPORT_PROXY_PORT');
    await refuseTakenPort(controlHost, proxy.controlPort, 'HOMEPORT_PROXY_CONTROL_PORT');
  }

  const report = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost');
  const { DATABASE_URL: url } = environment;
  const open = () =>
    openStore({ report, ...(url === undefined ? { dataFolder: config.dataFolder } : { url }) });
  const secrets = await readSecrets(environment, config.dataFolder);
  // A data plane alone serves from its snapshot while the store of another machine is away.
  if (!onConsolePort && url !== undefined) return startPlaneAlone({ config, secrets, log, cleanup, open });
  const store = await open();
  cleanup.add('the store', () => store.close());

  const proxyAddress = services.has('proxy')
    ? await startProxyService({ config, secrets, log, cleanup, open: async () => store })
    : undefined;
  if (!onConsolePort) return { proxyAddress, address: undefined, demo: undefined, lost: store.lost };
  // A data plane of its own has not half of the memory without the code of the other services.
  const { startWebServices } = await import('./start-web-services.ts');
  const demo = await startWebServices({ config, secrets, store, log, cleanup });
  return { proxyAddress, address: config.publicUrl, demo, lost: store.lost };
}

async function startPlaneAlone(parts: PlaneParts): Promise<StartedConsole> {
  let opened: Store | undefined;
  const open = async () => {
    opened = await parts.open();
    return opened;
  };
  parts.cleanup.add('the store', () => opened?.close());
  const proxyAddress = await startProxyService({ ...parts, open });
  return { proxyAddress, address: undefined, demo: undefined, lost: new Promise(() => {}) };
}
