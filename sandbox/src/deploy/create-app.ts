import type { Call } from '../machine/call.ts';
import { ensureRepository } from '../machine/repository.ts';
import { configureSite } from '../machine/site.ts';
import { newApp } from '../machine/state.ts';

/** Used by `apps:create`, and by the first push to a name without an app. */
export async function createApp(call: Call, name: string): Promise<void> {
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(name)) {
    call.fail(
      'App name must begin with lowercase alphanumeric character, and may only contain lowercase alphanumerics, dots, and hyphens',
    );
  }
  if (call.state.app(name)) call.fail('Name is already taken');
  const app = newApp(name, call.state.settings());
  call.state.save(app);
  ensureRepository(call.state.paths, name);
  call.say(`Creating ${name}...`);
  if (app.vhostsEnabled) call.say('Creating new app virtual host file...');
  else call.say('Global server virtual host not set, disabling app vhost...');
  await configureSite(call, app);
  call.event('post-create', name);
}
