import type { Call } from './call.ts';
import { writeRoutes } from './routes.ts';
import type { App } from './state.ts';

/** Writes an app's site, and prints what the nginx plugin prints each time. */
export async function configureSite(call: Call, app: App): Promise<void> {
  if (app.deployedAtSeconds === null && !call.quiet) call.warn(`No web listeners specified for ${app.name}`);
  await call.pause(1_500);
  if (app.vhostsEnabled) {
    const hosts = [...app.vhosts].sort((a, b) => (a < b ? -1 : 1));
    for (const host of hosts) call.out(`-----> Configuring ${host}...(using built-in template)`);
  } else {
    call.out('-----> No port set, setting to random open high port');
    call.out(`-----> Random port ${30_000 + (app.createdAtSeconds % 20_000)}`);
  }
  call.out(`-----> Creating ${app.certificate.expiresAtSeconds === null ? 'http' : 'https'} nginx.conf`);
  if (app.certificate.expiresAtSeconds !== null && app.deployedAtSeconds !== null)
    call.out('       Enabling HSTS (using built-in template)');
  call.out('       Reloading nginx');
  writeRoutes(call.state);
}
