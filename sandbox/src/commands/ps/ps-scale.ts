import { scaleTo } from '../../deploy/deploy.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';

export const psScale: SandboxCommand = {
  name: 'ps:scale',
  run: async (call) => {
    const { flags, plain } = readFlags(call, { format: { value: true }, 'skip-deploy': { value: false } });
    const [name, ...counts] = plain;
    const app = call.app(name);
    const rows = Object.entries(app.scale).sort(([a], [b]) => (a < b ? -1 : 1));
    if (counts.length === 0) {
      if (flags.get('format') === 'json') {
        return call.out(JSON.stringify(rows.map(([type, quantity]) => ({ process_type: type, quantity }))));
      }
      call.say(`Scaling for ${app.name}`);
      call.out('proctype: qty');
      call.out('--------: ---');
      for (const [type, quantity] of rows) call.out(`${`${type}:`.padEnd(5)} ${quantity}`);
      return;
    }
    call.say(`Scaling ${app.name} processes: ${counts.join(' ')}`);
    if (app.formation)
      call.fail(
        `App ${app.name} contains an app.json file with a formations key and cannot be manually scaled`,
      );
    const wanted: Record<string, number> = {};
    for (const word of counts) {
      const [type = '', count = ''] = word.split('=');
      if (!/^-?\d+$/.test(count)) call.fail(`Invalid count for process type ${type}`);
      if (app.deployedAtSeconds !== null && !(type in app.scale))
        call.fail(`${type} is not a valid process name to scale up`);
      wanted[type] = Number(count);
    }
    const changed = Object.keys(wanted).filter((type) => app.scale[type] !== wanted[type]);
    call.state.changeApp(app.name, (next) => void Object.assign(next.scale, wanted));
    // Like the real Dokku, starts these types of a stopped app, and leaves the others stopped.
    if (changed.length > 0 && app.deployedAtSeconds !== null && !flags.has('skip-deploy'))
      await scaleTo(call, app.name, changed);
  },
};
