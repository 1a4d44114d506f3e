import type { SandboxCommand } from '../../machine/call.ts';
import { filesOf } from '../../machine/containers.ts';
import { readText } from '../../machine/files.ts';
import { readFlags } from '../../machine/flags.ts';
import { nameOf } from '../../machine/inspect-container.ts';
import { oneOffContainersOf } from './one-off-container.ts';

/** Of one container, as far as it has printed. */
export const runLogs: SandboxCommand = {
  name: 'run:logs',
  run: (call) => {
    const { flags } = readFlags(call, {
      container: { value: true },
      num: { value: true, short: 'n' },
    });
    const wanted = flags.get('container') ?? '';
    const parts = wanted.split('.');
    if (wanted === '') call.fail('No container or app specified');
    if (parts.length !== 3) call.fail(`Invalid container name specified: ${wanted}`);
    if (parts[1] !== 'run') call.fail('Specified container must be a run container');
    const app = call.app(parts[0]);
    const container = oneOffContainersOf(call, app).find((each) => nameOf(each) === wanted);
    if (!container) {
      call.out(`Error response from daemon: No such container: ${wanted}`);
      return;
    }
    const lines = (readText(filesOf(call.state.paths, container.id).log) ?? '').split('\n').slice(0, -1);
    for (const line of lines.slice(-Number(flags.get('num') ?? '100'))) {
      const at = line.indexOf(' ');
      if (call.quiet) call.out(line.slice(at + 1));
      else call.out(`\u001b[36m${line.slice(0, at)} app[${parts[2]}]:\u001b[0m ${line.slice(at + 1)}`);
    }
  },
};
