import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

const usage = '      --format string   format: [ stdout | json ] (default "stdout")';

export const appsList: SandboxCommand = {
  name: 'apps:list',
  run: (call) => {
    const { flags } = readFlags(call, { format: { value: true } }, usage);
    const names = call.state.appNames();
    if (flags.get('format') === 'json') return call.out(JSON.stringify(names));
    call.title('My Apps');
    if (names.length === 0) return call.warn("You haven't deployed any applications yet");
    for (const name of names) call.out(name);
  },
};
