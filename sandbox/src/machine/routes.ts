import { containerOf, stateOf } from './containers.ts';
import { readState, writeState } from './files.ts';
import type { App, State } from './state.ts';

/** The front's counterpart of nginx's files: host name → loopback port of the app, or null while the app is stopped. */
export type Routes = Record<string, number | null>;

export function writeRoutes(state: State): void {
  const routes: Routes = {};
  for (const name of state.appNames()) {
    const app = state.app(name);
    if (!app?.vhostsEnabled || app.deployedAtSeconds === null) continue;
    const id = app.containers['web.1'];
    const running = id !== undefined && stateOf(state.paths, id)?.status === 'running';
    const port = running ? (containerOf(state.paths, id)?.port ?? null) : null;
    for (const host of app.vhosts) routes[host.toLowerCase()] = port;
  }
  writeState(state.paths.routes, routes);
}

/** The port on which the front listens. 80 for a sandbox without a front. */
export function frontPort(state: State): number {
  return readState<{ port: number }>(state.paths.front)?.port ?? 80;
}

/** The mappings that Dokku finds: those of EXPOSE, or the default. */
export function detectedPorts(state: State, { exposed }: Pick<App, 'exposed'>): string[] {
  return [exposed ? `http:${exposed}:${exposed}` : `http:${frontPort(state)}:5000`];
}

/** The mappings in force: those that were set, or those that Dokku finds. */
export function portsInForce(state: State, app: Pick<App, 'exposed' | 'ports'>): string[] {
  return app.ports.length > 0 ? app.ports : detectedPorts(state, app);
}

/** Each domain with each port that is mapped for http, and `https://host` if there is a certificate. The front stands for port 80. */
export function urlsOf(state: State, app: App): string[] {
  const secure = app.certificate.expiresAtSeconds !== null;
  const ports = portsInForce(state, app).flatMap((mapping) => {
    const [scheme, host] = mapping.split(':');
    return scheme === 'http' ? Number(host) : [];
  });
  return app.vhosts.flatMap((host) => [
    ...ports.map((port) => `http://${host}${suffixOf(port === 80 ? frontPort(state) : port)}`),
    ...(secure ? [`https://${host}`] : []),
  ]);
}

const suffixOf = (port: number) => (port === 80 ? '' : `:${port}`);
