import type { SandboxCommand } from '../../machine/call.ts';
import { variablesOf } from '../../machine/env-file.ts';
import { readFlags } from '../../machine/flags.ts';

export const configExport: SandboxCommand = {
  name: 'config:export',
  run: (call) => {
    const { flags, plain } = readFlags(call, { format: { value: true }, global: { value: false } });
    // The sandbox keeps no variables of all apps.
    if (flags.has('global')) return;
    const rows = Object.entries(variablesOf(call, call.app(plain[0]))).sort(([a], [b]) => (a < b ? -1 : 1));
    const format = flags.get('format') ?? 'exports';
    if (format === 'json') return call.out(JSON.stringify(Object.fromEntries(rows)));
    if (format === 'json-list')
      return call.out(JSON.stringify(rows.map(([name, value]) => ({ name, value }))));
    if (format !== 'exports') call.fail(`Unknown export format: ${format}`);
    for (const [key, value] of rows) call.out(`export ${key}='${value.replaceAll("'", `'\\''`)}'`);
  },
};

export const configKeys: SandboxCommand = {
  name: 'config:keys',
  run: (call) => {
    const config = variablesOf(call, call.app(readFlags(call, {}).plain[0]));
    for (const key of Object.keys(config).sort()) call.out(key);
  },
};
