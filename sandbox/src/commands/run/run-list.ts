import type { SandboxCommand } from '../../machine/call.ts';
import { stateOf } from '../../machine/containers.ts';
import { readFlags } from '../../machine/flags.ts';
import { nameOf } from '../../machine/inspect-container.ts';
import { oneOffContainersOf } from './one-off-container.ts';

export const runList: SandboxCommand = {
  name: 'run:list',
  run: (call) => {
    const { flags, plain } = readFlags(call, { format: { value: true } });
    const app = call.app(plain[0]);
    const rows = oneOffContainersOf(call, app).map((container) => ({
      name: nameOf(container),
      state: stateOf(call.state.paths, container.id)?.status ?? 'created',
      command: JSON.stringify((container.words ?? []).join(' ')),
      created_at: container.createdAt.replace(/^([\d-]+)T([\d:]+)\.\d+Z$/, '$1 $2 +0000 UTC'),
    }));
    if (flags.get('format') === 'json') return call.out(JSON.stringify(rows, null, 2));
    call.title(`${app.name} run containers`);
    call.out('NAMES             COMMAND      CREATED');
    for (const { name, command } of rows) call.out(`${name}   ${command}   Less than a second ago`);
  },
};
