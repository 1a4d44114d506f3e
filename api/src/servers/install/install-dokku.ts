import { setTimeout as wait } from 'node:timers/promises';
import {
  acl,
  bootstrap,
  detached,
  domainName,
  failureOf,
  hostCommand,
  letsencrypt,
  plugin,
  probe,
} from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { installDokkuPlugin } from '../../plugins/install-plugin.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';

const installerDeadlineMs = 40 * 60_000;
const lookEveryMs = 2_000;
const pluginDeadlineMs = 10 * 60_000;

/**
 * The progress when the installer reaches each of its own steps: 30 at its start, 60 when the server is
 * bootstrapped.
 */
const percentOf = {
  started: 30,
  dependencies: 34,
  docker: 40,
  dokku: 46,
  core_plugins: 54,
  finishing: 58,
} as const;

/** `isGlobal`: Dokku gives apps a domain beneath the name. */
type NewHost = { hostname: string; isGlobal: boolean };

/**
 * Installs Dokku the official way, detached, so that a lost connection does not end the installation. Does
 * nothing if Dokku is there.
 */
export async function installDokku(context: StepContext<unknown>, host: NewHost): Promise<string> {
  const present = probe.readVersion(await context.run('root', probe.version(), { accept: 'any' }));
  if (present) {
    // Remembered by the first try: a later one finds the Dokku that this operation installed.
    if (context.facts.dokkuFound === undefined) await context.remember({ dokkuFound: true });
    context.note(`Dokku ${present} is already installed.`);
    return present;
  }
  await context.remember({ dokkuFound: false });
  await runInstaller(context, host);
  const installed = probe.readVersion(await context.run('root', probe.version()));
  if (!installed)
    throw new ProblemError(
      'remote_failed',
      'The installer ended without a failure, but Dokku does not answer.',
    );
  return installed;
}

async function runInstaller(context: StepContext<unknown>, { hostname, isGlobal }: NewHost): Promise<void> {
  // Named after the operation, so that a repeated step finds the running installer and does not start a
  // second one. Not in /tmp, where another account could make the folder first and choose what root runs.
  const folder = `${sandboxMachine(context)}/var/lib/homeport-install-${context.operationId}`;
  const script = `${folder}/bootstrap.sh`;
  const state = detached.readDetachedState(
    await context.run('root', detached.readDetached(folder, 0), {
      quiet: true,
      accept: 'any',
      shown: `read the state of ${folder}`,
    }),
  );
  if (state?.kind !== 'running') {
    await context.run('root', hostCommand(['mkdir', '-p', '-m', '0700', folder], { needsRoot: true }));
    await context.run('root', bootstrap.fetchInstaller(script), { deadlineMs: 120_000 });
    const installer = bootstrap.runInstaller(script, domainName(hostname), { isGlobal });
    await context.run('root', detached.startDetached(folder, installer.words), {
      shown: installer.words.join(' '),
    });
  }
  await context.progress(percentOf.started);
  await followInstaller(context, folder);
  await context.run('root', hostCommand(['rm', '-rf', folder], { needsRoot: true }));
}

/**
 * Empty on a real server. The sandbox's account need not be root, so the sandbox has a folder of its own for
 * root's files.
 */
function sandboxMachine({ facts }: StepContext<unknown>): string {
  return typeof facts.sandboxRoot === 'string' ? `${facts.sandboxRoot}/machine` : '';
}

async function followInstaller(context: StepContext<unknown>, folder: string): Promise<void> {
  const givenUpAt = Date.now() + installerDeadlineMs;
  let seen = 0;
  let output = '';
  while (Date.now() < givenUpAt) {
    const answer = await context.run('root', detached.readDetached(folder, seen), {
      quiet: true,
      shown: `read the installer’s log in ${folder}`,
    });
    const state = detached.readDetachedState(answer);
    if (!state || state.kind === 'absent' || state.kind === 'lost') {
      throw new ProblemError(
        'remote_failed',
        'The installer ended without an exit code. The server may have been restarted.',
      );
    }
    seen += Buffer.byteLength(state.log);
    output += state.log;
    context.output(state.log);
    const step = bootstrap.readProgress(output);
    if (step) await context.progress(percentOf[step]);
    if (state.kind === 'ended') {
      if (state.exitCode === 0) return;
      const failure = failureOf({ exitCode: state.exitCode, stdout: output, stderr: '' });
      throw new ProblemError('remote_failed', failure ? failureSentence(failure) : 'The installer failed.', {
        remote: {
          command: 'bash bootstrap.sh',
          account: 'root',
          exitCode: state.exitCode,
          outputTail: output.slice(-4_000),
        },
      });
    }
    await wait(lookEveryMs, undefined, { signal: context.signal });
  }
  throw new ProblemError(
    'remote_timeout',
    'The installer has run for forty minutes. It may still be running on the server.',
  );
}

/**
 * Installs the plugins that app creation needs. A plugin that cannot be installed is a warning. `settled` is what to say
 * about the server's global domain.
 */
export async function installAppPlugins(
  context: StepContext<unknown>,
  settled: string | null,
): Promise<StepOutcome | undefined> {
  const present = plugin.readList(await context.run('root', plugin.list())).map((each) => each.name);
  const missing: string[] = [];
  for (const { name, url } of [
    { name: 'letsencrypt', url: letsencrypt.pluginUrl },
    { name: 'acl', url: acl.pluginUrl },
  ] as const) {
    if (present.includes(name)) continue;
    const installed = await installDokkuPlugin(context, { url, name, deadlineMs: pluginDeadlineMs });
    if (installed.exitCode !== 0) missing.push(name);
  }
  if (missing.length === 0) return settled === null ? undefined : { note: settled };
  const warning = `Not installed: ${missing.join(', ')}. Apps work without them. Try the step again when the server can fetch them.`;
  return { state: 'warned', note: settled === null ? warning : `${warning} ${settled}` };
}
