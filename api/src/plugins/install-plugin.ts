import { appName, apps, network, plugin } from '@homeport/dokku';
import type { StepContext } from '../operations/definition.ts';
import type { Ran } from '../remote/run-command.ts';

/**
 * `dokku plugin:install` runs the install step of each plugin. The step of Dokku's own plugin `network` publishes every app for
 * which nothing is decided on all interfaces of the server, past nginx and the firewall, with the app's next restart. So each such
 * app is decided first, as Dokku treats it until then.
 */
export async function installDokkuPlugin(
  context: StepContext<unknown>,
  { url, name, deadlineMs }: { url: `https://${string}.git`; name: string; deadlineMs: number },
): Promise<Ran> {
  await keepAppsPrivate(context);
  return context.run('root', plugin.install(url, name), { accept: 'any', deadlineMs });
}

async function keepAppsPrivate(context: StepContext<unknown>): Promise<void> {
  const all = apps.readList(await context.run('root', apps.list(), { quiet: true }));
  const listed = await context.run('root', network.listUndecided(all.map((name) => appName(name))), {
    shown: 'list the apps without bind-all-interfaces',
    quiet: true,
  });
  const undecided = network.readUndecided(listed);
  for (const app of undecided) await context.run('root', network.keepPrivate(app));
  if (undecided.length === 0) return;
  context.note(
    `Keeps ${undecided.join(', ')} behind the proxy: Dokku would publish them on all interfaces of the server when it installs a plugin.`,
  );
}
