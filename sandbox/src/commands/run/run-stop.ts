import type { SandboxCommand } from '../../machine/call.ts';
import { allContainers, stopContainer } from '../../machine/containers.ts';
import { readFlags } from '../../machine/flags.ts';
import { nameOf } from '../../machine/inspect-container.ts';
import { oneOffContainersOf } from './one-off-container.ts';

export const runStop: SandboxCommand = {
  name: 'run:stop',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { container: { value: true } });
    const app = call.app(plain[0]);
    const named = flags.get('container');
    const { paths } = call.state;
    if (named === undefined && oneOffContainersOf(call, app).length === 0)
      return call.out('No run containers exist');
    // Like the real Dokku, takes any container of the server by its name.
    const wanted =
      named === undefined
        ? oneOffContainersOf(call, app)
        : allContainers(paths).filter((each) => nameOf(each) === named);
    if (wanted.length === 0) return call.warn('Specified container does not exist');
    for (const container of wanted) {
      const name = nameOf(container);
      await stopContainer(paths, container.id, 2_000);
      call.out(name);
    }
  },
};
