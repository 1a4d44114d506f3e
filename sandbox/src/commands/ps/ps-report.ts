import type { SandboxCommand } from '../../machine/call.ts';
import { stateOf } from '../../machine/containers.ts';
import { report } from '../../machine/report.ts';
import type { App } from '../../machine/state.ts';

const fixed: Record<string, string> = {
  'ps-computed-dockerfile-start-cmd': '',
  'ps-computed-procfile-path': 'Procfile',
  'ps-computed-skip-deploy': 'false',
  'ps-computed-start-cmd': '',
  'ps-dockerfile-start-cmd': '',
  'ps-global-procfile-path': '',
  'ps-global-restart-policy': '',
  'ps-global-skip-deploy': '',
  'ps-global-stop-timeout-seconds': '',
  'ps-procfile-path': '',
  'ps-skip-deploy': '',
  'ps-start-cmd': '',
};

export const psReport: SandboxCommand = {
  name: 'ps:report',
  run: (call) =>
    report(call, {
      heading: 'ps',
      prefix: 'ps',
      bothKeys: true,
      entries: (app) => {
        const status = (id: string) => stateOf(call.state.paths, id)?.status ?? 'missing';
        const containers = Object.entries(app.containers).sort(([a], [b]) => (a < b ? -1 : 1));
        const entries: Record<string, string> = {
          deployed: String(app.deployedAtSeconds !== null),
          processes: String(containers.length),
          ...settingsOf(app),
          restore: String(!app.stopped),
          running: runningOf(app, status),
        };
        for (const [process, id] of containers)
          entries[`status-${process}`] = `${status(id)} (CID: ${id.slice(0, 11)})`;
        return Object.entries(entries).map(([key, value]) => ({
          flag: `--${key}`,
          label: labelOf(key),
          value,
        }));
      },
    }),
};

/** In Dokku's order. */
function settingsOf(app: App): Record<string, string> {
  const { formation, restartPolicy = '', stopSeconds = '' } = app;
  const settings = {
    ...fixed,
    'ps-can-scale': String(formation !== true),
    'ps-computed-restart-policy': restartPolicy || 'on-failure:10',
    'ps-computed-stop-timeout-seconds': stopSeconds || '30',
    'ps-restart-policy': restartPolicy,
    'ps-stop-timeout-seconds': stopSeconds,
  };
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function runningOf(app: App, status: (id: string) => string): string {
  const running = Object.values(app.containers).filter((id) => status(id) === 'running').length;
  if (running === 0) return 'false';
  return running === Object.keys(app.containers).length ? 'true' : 'mixed';
}

function labelOf(key: string): string {
  const words = key.replaceAll(/[-.]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
