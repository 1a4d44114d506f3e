import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, Exit, type SandboxCommand } from '../../machine/call.ts';
import { allContainers, removeContainer } from '../../machine/containers.ts';
import { readFlags } from '../../machine/flags.ts';
import { writeRoutes } from '../../machine/routes.ts';
import { trigger } from '../../machine/run-plugin.ts';
import { allServiceKinds } from '../../services/kinds.ts';
import { changeService, serviceNames, serviceOf } from '../../services/service.ts';

export const appsDestroy: SandboxCommand = {
  name: 'apps:destroy',
  run: async (call) => {
    const app = call.app(readFlags(call, {}).plain[0]);
    if (!call.force) await confirm(call, app.name);
    call.say(`Destroying ${app.name} (including all add-ons)`);
    await call.pause(1_500);
    const ids = Object.values(app.containers);
    for (let time = 0; ids.length > 0 && time < 2; time += 1) call.say('Updated schedule file');
    call.say('Cleaning up...');
    unlinkServices(call, app.name);
    call.say('Retiring old containers and images');
    for (const id of ids) {
      call.detail(`Attempting to retire ${app.name} container ${id}`);
      await removeContainer(call.state.paths, id);
    }
    // By their label, as Dokku's post-delete does: what failed deploys left goes, too.
    for (const { id } of allContainers(call.state.paths).filter(
      ({ app: of, service }) => !service && of === app.name,
    ))
      await removeContainer(call.state.paths, id);
    call.state.forget(app.name);
    rmSync(join(call.state.paths.network, app.name), { recursive: true, force: true });
    writeRoutes(call.state);
    call.event('post-delete', app.name);
    await trigger(call, 'post-delete', [app.name]);
  },
};

/** Each service plugin takes the app off its services, which stay. */
function unlinkServices(call: Call, app: string): void {
  const { paths } = call.state;
  for (const kind of allServiceKinds) {
    for (const name of serviceNames(paths, kind)) {
      const service = serviceOf(paths, kind, name);
      if (!service?.links.includes(app)) continue;
      call.detail(`Unlinking from ${name}`);
      changeService(paths, service, { links: service.links.filter((other) => other !== app) });
    }
  }
}

async function confirm(call: Call, name: string): Promise<void> {
  call.warn('WARNING: Potentially Destructive Action');
  call.warn(`This command will destroy app ${name}.`);
  call.warn(`To proceed, type "${name}"`);
  call.write(1, '> ');
  const answer = (await call.stdin()) ?? '';
  if (answer === '') call.fail('EOF');
  if (answer.trim() === name) return;
  // The real message says "test" for every app.
  call.err('Confirmation did not match test. Aborted.');
  throw new Exit(1);
}
