import { join } from 'node:path';
import { readText, writeText } from './files.ts';
import type { App, State } from './state.ts';

const fileOf = (home: string, app: string) => join(home, app, 'nginx.conf');

/** The values that nginx serves an app with, as the file in which Dokku keeps its configuration. */
export function writeSite({ name, nginxBuilt }: App, home = process.env.DOKKU_ROOT): void {
  if (home !== undefined) writeText(fileOf(home, name), `# ${JSON.stringify(nginxBuilt ?? {})}\n`);
}

/** Takes in what a plugin, which called this command, made of the files. */
export function takeSites(state: State, home = process.env.DOKKU_ROOT): void {
  if (home === undefined) return;
  for (const name of state.appNames()) {
    const text = readText(fileOf(home, name));
    if (text === undefined) continue;
    const built = JSON.parse(text.slice(1)) as Record<string, string>;
    if (JSON.stringify(built) === JSON.stringify(state.app(name)?.nginxBuilt ?? {})) continue;
    state.changeApp(name, (app) => {
      app.nginxBuilt = built;
    });
  }
}
