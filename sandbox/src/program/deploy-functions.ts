import { join } from 'node:path';
import { typesIn } from '../deploy/build-code.ts';
import { release } from '../deploy/deploy.ts';
import { beginBuild, buildLog, buildsOf, endBuild } from '../machine/builds.ts';
import { Call, Exit } from '../machine/call.ts';
import { readText, writeText } from '../machine/files.ts';
import { takeLock } from '../machine/lock.ts';
import { refuseBroken, takeSites } from '../machine/site.ts';

/**
 * What the functions of Dokku's plugin `common` do that a plugin calls: a record of a deploy, the lock, and the deploy of the image that
 * is `latest`. `machine/dokku-files.ts` writes the functions, which call this role.
 */
export async function commonFunction([verb = '', app = '', ...words]: readonly string[]): Promise<number> {
  const call = new Call({ command: 'homeport:rollback', words: [app] });
  const { paths } = call.state;
  try {
    if (verb === 'begin') {
      const record = beginBuild(paths, app, 'deploy', sourceOf(words[1]), Number(words[0]));
      call.out(`${record.id} ${buildLog(paths, app, record.id)}`);
    } else if (verb === 'lock') {
      takeLock(call, app, Number(words[0]));
      call.out(paths.lock(app));
    } else if (verb === 'reload') {
      takeSites(call.state);
      refuseBroken(call);
    } else if (verb === 'unlock') {
      const [id, code = '1'] = words;
      takeProcfile(call, app);
      const record = buildsOf(paths, app).find((row) => row.id === id);
      if (record) endBuild(paths, record, code === '0' ? 'succeeded' : 'failed', Number(code));
      call.state.unlock(app);
    } else if (verb === 'deploy') {
      takeProcfile(call, app);
      try {
        await release(call, app, { tasks: false });
      } finally {
        writeContainers(call, app);
      }
    }
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

const propertyOf = (plugin: string, app: string, key: string) =>
  (readText(join(process.env.DOKKU_LIB_ROOT ?? '', 'config', plugin, app, key)) ?? '').trim();

/** Dokku knows its own sources alone (plugins/builds). */
const sources = ['deploy', 'config-redeploy', 'ps:rebuild', 'ps:restart', 'git-hook', 'git:sync'];
const sourceOf = (told = '') => (sources.includes(told) ? told : 'unknown');

/** Dokku deploys with the Procfile that lies beside the app, whichever image it starts. */
function takeProcfile(call: Call, name: string): void {
  const data = join(process.env.DOKKU_LIB_ROOT ?? '', 'data');
  const procfile = readText(join(data, 'ps', name, 'Procfile'));
  call.state.changeApp(name, (app) => {
    app.procfile = procfile;
    app.manifest = readText(join(data, 'app-json', name, 'app.json'));
    app.template = readText(join(data, 'nginx-vhosts', `app-${name}`, 'nginx.conf.sigil'));
    app.checksFile = readText(join(data, 'scheduler-docker-local', name, 'CHECKS'));
    app.formation = propertyOf('ps', name, 'can-scale') === 'false';
    app.deploySource = propertyOf('apps', name, 'deploy-source');
    app.deploySourceMetadata = propertyOf('apps', name, 'deploy-source-metadata');
    if (procfile !== undefined) app.processes = typesIn(procfile);
    const scale = readText(join(process.env.DOKKU_LIB_ROOT ?? '', 'config/ps', name, 'scale')) ?? '';
    app.scale = Object.fromEntries(
      scale.split('\n').flatMap((line) => {
        const [type = '', quantity] = line.split('=');
        return quantity === undefined ? [] : [[type, Number(quantity)]];
      }),
    );
  });
}

/** The caller looks at the files again in which Dokku keeps the ids. */
function writeContainers(call: Call, name: string): void {
  const folder = join(process.env.DOKKU_ROOT ?? '', name);
  for (const [process, id] of Object.entries(call.app(name).containers))
    writeText(join(folder, `CONTAINER.${process}`), id);
}
