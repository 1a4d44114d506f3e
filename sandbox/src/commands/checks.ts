import type { Call, SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';
import type { App } from '../machine/state.ts';

export const checksReport: SandboxCommand = {
  name: 'checks:report',
  run: (call) =>
    report(call, {
      heading: 'checks',
      prefix: 'checks',
      bothKeys: false,
      entries: (app) =>
        Object.entries(valuesOf(app)).map(([key, value]) => ({
          flag: `--checks-${key}`,
          label: `Checks ${key.replaceAll('-', ' ')}`,
          value,
        })),
    }),
};

const unset = { disabled: '', skipped: '', retire: '' };

function valuesOf({ checks = unset }: App): Record<string, string> {
  return {
    'computed-wait-to-retire': checks.retire || '60',
    'disabled-list': checks.disabled || 'none',
    'global-wait-to-retire': '',
    'skipped-list': checks.skipped || 'none',
    'wait-to-retire': checks.retire,
  };
}

export const checksDisable = listed('disable', 'Disabling', ({ disabled, skipped }, types) =>
  types === null
    ? { disabled: every, skipped: '' }
    : { disabled: without(joined(disabled, types), [every]), skipped: without(skipped, types) },
);

export const checksSkip = listed('skip', 'Skipping', ({ disabled, skipped }, types) =>
  types === null
    ? { disabled: '', skipped: every }
    : { disabled: without(disabled, types), skipped: without(joined(skipped, types), [every]) },
);

/** While a list is `_all_`, taking one type off changes nothing. */
export const checksEnable = listed('enable', 'Enabling', ({ disabled, skipped }, types) =>
  types === null
    ? { disabled: '', skipped: '' }
    : { disabled: removed(disabled, types), skipped: removed(skipped, types) },
);

/** Takes any text as a number of seconds. */
export const checksSet: SandboxCommand = {
  name: 'checks:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    const app = call.app(name);
    if (key !== 'wait-to-retire') call.fail('Invalid key specified, valid keys include: wait-to-retire');
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
    change(call, app, (before) => ({ ...before, retire: value }));
  },
};

const every = '_all_';
type Checks = NonNullable<App['checks']>;

function listed(
  verb: string,
  doing: string,
  next: (before: Checks, types: readonly string[] | null) => Omit<Checks, 'retire'>,
): SandboxCommand {
  return {
    name: `checks:${verb}`,
    run: (call) => {
      const [name, types] = call.words;
      const app = call.app(name);
      // Of `checks:enable` both forms say "app's".
      const whole = verb === 'enable' ? `app's (${app.name})` : `app (${app.name})`;
      call.say(
        `${doing} zero downtime for ${types === undefined ? whole : `app's (${app.name}) proctypes (${types})`}`,
      );
      change(call, app, (before) => ({ ...before, ...next(before, types?.split(',') ?? null) }));
    },
  };
}

function change(call: Call, { name }: App, next: (before: Checks) => Checks): void {
  call.state.changeApp(name, (app) => {
    app.checks = next(app.checks ?? unset);
  });
}

const typesIn = (list: string) => list.split(',').filter((type) => type !== '');
const joined = (list: string, types: readonly string[]) =>
  [...new Set([...typesIn(list), ...types])].join(',');
const without = (list: string, types: readonly string[]) =>
  removed(
    list,
    types.filter((type) => typesIn(list).includes(type)),
  );

/** As Dokku removes a type: its letters, wherever they stand. */
function removed(list: string, types: readonly string[]): string {
  let left = list;
  for (const type of types) left = left.replaceAll(type, '').replaceAll(',,', ',');
  return typesIn(left).join(',');
}
