import type { SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';

const values: Record<string, string> = {
  'computed-wait-to-retire': '60',
  'disabled-list': 'none',
  'global-wait-to-retire': '',
  'skipped-list': 'none',
  'wait-to-retire': '',
};

export const checksReport: SandboxCommand = {
  name: 'checks:report',
  run: (call) =>
    report(call, {
      heading: 'checks',
      prefix: 'checks',
      bothKeys: false,
      entries: () =>
        Object.entries(values).map(([key, value]) => ({
          flag: `--checks-${key}`,
          label: `Checks ${key.replaceAll('-', ' ')}`,
          value,
        })),
    }),
};
