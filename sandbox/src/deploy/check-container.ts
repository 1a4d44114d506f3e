import { type Call, Exit } from '../machine/call.ts';
import { type Container, filesOf, listens, stateOf, until } from '../machine/containers.ts';
import { readText } from '../machine/files.ts';
import type { App } from '../machine/state.ts';

/** What Dokku does with new containers of a type: `checks:skip` and `checks:disable` switch that off. */
export const checkModeOf = ({ checks }: App, type: string): 'checked' | 'skipped' | 'disabled' =>
  holds(checks?.disabled, type) ? 'disabled' : holds(checks?.skipped, type) ? 'skipped' : 'checked';

const holds = (list = '', type: string) => list.split(',').some((each) => each === '_all_' || each === type);

/**
 * Web processes have to listen on their port, others have to stay alive. The check takes ten seconds at pace 1, like the real default
 * check. Of the checks that app.json has for the type, the sandbox says which ones Dokku runs in place of its own, and tries none.
 */
export async function checkContainer(call: Call, container: Container, type: string): Promise<void> {
  const { paths } = call.state;
  const web = type === 'web';
  call.detail(`Attempting pre-flight checks (${container.process})`);
  const checks = startupChecksOf(call.app(container.app).manifest, type);
  if (checks.length === 0) {
    checks.push({ name: 'default', said: "type='uptime' uptime=10" });
    if (web)
      checks.push({
        name: 'port listening check',
        said: `attempts=3 port=${container.port} retries=2 timeout=5 type='listening' wait=5`,
      });
  }
  call.say(`Executing ${checks.length} healthchecks`);
  for (const { name, said } of checks) call.detail(`Running healthcheck name='${name}' ${said}`);
  const state = () => stateOf(paths, container.id);
  const failed = () => state()?.status === 'exited' || (state()?.restarts ?? 0) >= 2;
  const settled = web ? async () => failed() || (await listens(container.port)) : failed;
  const reached = await until(settled, web ? 20_000 : 300);
  if (!failed()) await call.pause(10_000);
  if (failed() || (web && !reached)) return refuse(call, container, failed());
  for (const { name } of checks) call.detail(`Healthcheck succeeded name='${name}'`);
  call.detail(`All checks successful (${container.process})`);
  // A program listens a moment before it logs so. The real checks take seconds and see that log; this one waits for it.
  await until(() => logOf(call, container) !== '', 200);
  printOutput(call, container);
}

/** The checks of app.json that a deploy runs: those of the type `startup`. A file that is no JSON has none here. */
function startupChecksOf(manifest: string | undefined, type: string): { name: string; said: string }[] {
  let own: unknown[] = [];
  try {
    const { healthchecks } = JSON.parse(manifest ?? '{}') as { healthchecks?: Record<string, unknown[]> };
    own = healthchecks?.[type] ?? [];
  } catch {}
  return own.flatMap((check) => {
    const { type: when, name, uptime } = check as { type?: string; name?: string; uptime?: number };
    if (when !== 'startup') return [];
    return [{ name: name ?? '', said: uptime === undefined ? '' : `type='uptime' uptime=${uptime}` }];
  });
}

async function refuse(call: Call, container: Container, ended: boolean): Promise<never> {
  const restarts = stateOf(call.state.paths, container.id)?.restarts ?? 0;
  const why = ended ? `container has restarted ${restarts} times` : 'dial tcp: connect: connection refused';
  const failure = `\u001b[1m\u001b[31m !     \u001b[0m\u001b[0mFailure in name='${ended ? 'default' : 'port listening check'}': ${why}`;
  call.err(failure);
  call.out(container.id);
  call.warn(`Could not start due to 1 failed checks (${container.process})`);
  printOutput(call, container);
  printOutput(call, container);
  const [type = 'web', index = '1'] = container.process.split('.');
  const job = failedJob(container.app, type, Number(index));
  call.out(`${job}\n`);
  throw new Exit(
    1,
    `${failure}\n !     Could not start due to 1 failed checks (${container.process})\n${job}\n`,
  );
}

/** The text that Dokku prints about the failed job of a container. */
export function failedJob(app: string, type: string, index: number): string {
  return `parallel: This job failed:\n/var/lib/dokku/plugins/available/scheduler-docker-local/bin/scheduler-deploy-process-container ${app} herokuish dokku/${app}:latest latest ${type} ${index} ${index}`;
}

function printOutput(call: Call, container: Container): void {
  const name = `${container.app} container output (${container.id.slice(0, 12)} ${container.process})`;
  call.title(`Start of ${name}`);
  for (const line of logOf(call, container).split('\n').slice(0, -1))
    call.detail(line.slice(line.indexOf(' ') + 1));
  call.title(`End of ${name}`);
}

const logOf = (call: Call, container: Container) =>
  readText(filesOf(call.state.paths, container.id).log) ?? '';
