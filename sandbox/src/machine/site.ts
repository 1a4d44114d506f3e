import { join } from 'node:path';
import { type Call, Exit } from './call.ts';
import { readText, writeText } from './files.ts';
import { writeRoutes } from './routes.ts';
import type { App, State } from './state.ts';

type Options = {
  /** The caller prints the messages of a failure once more. */
  readonly toldTwice?: boolean;
};

/** Writes an app's site, and prints what the nginx plugin prints each time. Fails where nginx refuses the site of any app. */
export async function configureSite(
  call: Call,
  app: App,
  { toldTwice = false }: Options = {},
): Promise<void> {
  if (app.deployedAtSeconds === null && !call.quiet) call.warn(`No web listeners specified for ${app.name}`);
  await call.pause(1_500);
  const own = usesTemplate(app);
  if (own) call.out('-----> Overriding default nginx.conf with detected nginx.conf.sigil');
  if (app.vhostsEnabled) {
    const hosts = [...app.vhosts].sort((a, b) => (a < b ? -1 : 1));
    for (const host of hosts)
      call.out(`-----> Configuring ${host}...(using ${own ? 'app-supplied' : 'built-in'} template)`);
  } else {
    call.out('-----> No port set, setting to random open high port');
    call.out(`-----> Random port ${30_000 + (app.createdAtSeconds % 20_000)}`);
  }
  call.out(`-----> Creating ${app.certificate.expiresAtSeconds === null ? 'http' : 'https'} nginx.conf`);
  if (
    app.certificate.expiresAtSeconds !== null &&
    app.deployedAtSeconds !== null &&
    app.nginx?.hsts !== 'false'
  )
    call.out('       Enabling HSTS (using built-in template)');
  call.out('       Reloading nginx');
  takeSites(call.state);
  keepBuilt(call, call.app(app.name), own);
  writeSite(call.app(app.name));
  refuseBroken(call, { toldTwice });
  writeRoutes(call.state);
}

/** The properties `nginx:set` mean nothing to a template of the repository's own that does not use them. */
const usesTemplate = ({ template, deployedAtSeconds, nginx }: App) =>
  template !== undefined && deployedAtSeconds !== null && nginx?.['disable-custom-config'] !== 'true';

function keepBuilt(call: Call, { name, nginx, nginxBuilt }: App, own: boolean): void {
  const built = own ? {} : (nginx ?? {});
  if (JSON.stringify(built) === JSON.stringify(nginxBuilt ?? {})) return;
  call.state.changeApp(name, (app) => {
    app.nginxBuilt = built;
  });
}

/** The values that nginx checks (`ngx_parse_offset`, `ngx_parse_time`). A header such as that of HSTS may have any. */
const taken: Readonly<Record<string, RegExp>> = {
  'client-max-body-size': /^\d{1,15}[kKmMgG]?$/,
  'proxy-read-timeout': /^\d{1,9}(?:ms|[smhdwMy])?$/,
  'send-timeout': /^\d{1,9}(?:ms|[smhdwMy])?$/,
};

/** The time and the process of the recording, so that two answers are the same. */
const fixedTime = '2026/11/21 08:00:18';

/** Fails as nginx does where the configuration of any app is broken. Where one app is asked about, Dokku names no other one itself. */
export function refuseBroken(
  call: Call,
  { toldTwice = false, asked = '' }: Options & { readonly asked?: string } = {},
): void {
  for (const name of call.state.appNames()) {
    const built = call.app(name).nginxBuilt ?? {};
    const broken = Object.keys(built).find((key) => taken[key]?.test(built[key] ?? '') === false);
    if (broken === undefined) continue;
    const directive = broken.replaceAll('-', '_');
    const isNamed = asked === '' || asked === name;
    if (isNamed) call.out(`\nserver {\n\n  ${directive} ${built[broken]};\n\n}\n`);
    const warned = `Failed to validate nginx config for ${name}. Contents below...`;
    const told = [
      `${fixedTime} [emerg] 16571#16571: "${directive}" directive invalid value in /home/dokku/${name}/nginx.conf:51`,
      'nginx: configuration file /etc/nginx/nginx.conf test failed',
    ];
    if (isNamed) call.warn(warned);
    for (const line of told) call.err(line);
    if (toldTwice) {
      call.warn(` !     ${warned}`);
      for (const line of [...told, '']) call.err(line);
    }
    throw new Exit(1);
  }
}

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
