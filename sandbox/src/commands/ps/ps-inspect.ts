import { Exit, type SandboxCommand } from '../../machine/call.ts';
import { containerOf } from '../../machine/containers.ts';
import { inspected } from '../../machine/inspect-container.ts';

/** What an app may know of itself without asking is not masked: Dokku's own. */
const open = new Set(['DYNO', 'PATH', 'PORT']);

export const psInspect: SandboxCommand = {
  name: 'ps:inspect',
  run: (call) => {
    const app = call.app(call.words[0]);
    const containers = Object.values(app.containers).flatMap((id) => containerOf(call.state.paths, id) ?? []);
    if (containers.length === 0) {
      // Docker's own refusal of a call without a container. On the real Dokku a traceback of its filter follows.
      call.err('"docker container inspect" requires at least 1 argument.');
      throw new Exit(1);
    }
    const told = containers.map((container) => {
      const value = inspected(container);
      return { ...value, Config: { ...value.Config, Env: value.Config.Env.map(masked) } };
    });
    call.out(JSON.stringify(told, null, 4));
  },
};

function masked(pair: string): string {
  const key = pair.slice(0, pair.indexOf('='));
  return open.has(key) ? pair : `${key}=XXXXXX`;
}
