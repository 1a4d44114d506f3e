import { containerOf, stateOf } from './containers.ts';
import { readState, writeState } from './files.ts';
import type { State } from './state.ts';

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

/** `http://host` with the front's port unless that is 80, and `https://host` if there is a certificate. */
export function urlsOf(state: State, vhosts: readonly string[], secure: boolean): string[] {
  const port = frontPort(state);
  const suffix = port === 80 ? '' : `:${port}`;
  return vhosts.flatMap((host) => [`http://${host}${suffix}`, ...(secure ? [`https://${host}`] : [])]);
}
