import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { failureOf, plugin, serviceName } from '@homeport/dokku';
import { ProblemError, wrongField } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { installDokkuPlugin } from '../../plugins/install-plugin.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { tailOf } from '../../remote/run-command.ts';
import type { CreationInput } from './creation-input.ts';
import { awaitCommandsOn } from './on-database.ts';

const installDeadlineMs = 20 * 60_000;

/**
 * Installs Dokku’s plugin for a type of database if the server has none and the person agreed. A plugin that is there
 * stays as it is.
 */
export async function installServicePlugin(
  context: StepContext<CreationInput>,
): Promise<StepOutcome | undefined> {
  const { type, installPlugin } = context.input;
  const { title, pluginUrl } = databaseTypeOf(type);
  // A console that was killed leaves the installation running.
  if (context.facts.pluginTried === true) await awaitCommandsOn(context, serviceName(type));
  const present = await findPlugin(context);
  if (present?.enabled) return undefined;
  if (present)
    throw new ProblemError('conflict', `Dokku’s plugin for ${title} is disabled on this server.`, {
      recovery: `Enable it there with: dokku plugin:enable ${type}`,
    });
  if (!installPlugin)
    throw wrongField(
      'installPlugin',
      `This server has no plugin for ${title}. Agree to its installation, or install the plugin there yourself.`,
    );
  context.note(`Fetches ${pluginUrl} and the images that this plugin uses, and installs it as root.`);
  await context.remember({ pluginTried: true });
  const ran = await installDokkuPlugin(context, {
    url: pluginUrl,
    name: type,
    deadlineMs: installDeadlineMs,
  });
  if (ran.exitCode === 0) return undefined;
  // Without its images a plugin is installed all the same, and the creation of a database fetches what it needs.
  if ((await findPlugin(context))?.enabled)
    return {
      state: 'warned',
      note: 'Dokku installed the plugin and reported an error; the log shows it. The creation goes on.',
    };
  const failure = failureOf(ran);
  throw new ProblemError(
    'remote_failed',
    `Dokku did not install the plugin for ${title}. ${failure ? failureSentence(failure) : ''}`.trim(),
    { remote: { ...ran.record, outputTail: tailOf(ran) } },
  );
}

async function findPlugin(context: StepContext<CreationInput>): Promise<plugin.Plugin | undefined> {
  const listed = plugin.readList(await context.run('apps', plugin.list(), { quiet: true }));
  return listed.find(({ name }) => name === context.input.type);
}
