import type { Call, SandboxCommand } from '../machine/call.ts';
import { readFlags } from '../machine/flags.ts';
import { report } from '../machine/report.ts';

const kinds = ['cpu', 'memory', 'memory-swap', 'network', 'network-ingress', 'network-egress', 'nvidia-gpu'];
const usage = `      --cpu string               cpu: The amount of cpu to limit processes by
      --memory string            memory: The amount of memory to limit processes by
      --memory-swap string       memory-swap: The amount of swap memory to limit processes by
      --network string           network: The amount of network bandwidth to limit processes by
      --network-egress string    network-egress: The amount of egress network bandwidth to limit processes by
      --network-ingress string   network-ingress: The amount of ingress network bandwidth to limit processes by
      --nvidia-gpu string        nvidia-gpu: The number of Nvidia GPUs to limit a process to
      --process-type string      process-type: A process type to manage`;
const rules = Object.fromEntries([...kinds, 'process-type'].map((kind) => [kind, { value: true }]));

/** Checks nothing, like the real Dokku: an invalid value breaks the next deploy. */
export const resourceLimit: SandboxCommand = {
  name: 'resource:limit',
  run: (call) => {
    const { flags, plain } = readFlags(call, rules, usage);
    const { name, limits } = call.app(plain[0]);
    const type = flags.get('process-type');
    const scope = type ?? '_default_';
    const given = kinds.filter((kind) => flags.has(kind));
    if (given.length === 0) return show(call, name, limits, type, scope);
    call.title(`Setting resource limits for ${name}${type ? ` (${type})` : ''}`);
    call.state.changeApp(name, (app) => {
      for (const kind of given) app.limits[`${scope}.limit.${kind}`] = flags.get(kind) ?? '';
    });
    for (const kind of given) call.detail(`${kind}: ${flags.get(kind)}`);
  },
};

export const resourceLimitClear: SandboxCommand = {
  name: 'resource:limit-clear',
  run: (call) => {
    const { flags, plain } = readFlags(call, { 'process-type': { value: true } });
    const { name } = call.app(plain[0]);
    const type = flags.get('process-type');
    call.title(`clearing ${name} limits${type ? ` (${type})` : ''}`);
    call.state.changeApp(name, (app) => {
      const kept = Object.entries(app.limits).filter(
        ([key]) => type !== undefined && !key.startsWith(`${type}.`),
      );
      app.limits = Object.fromEntries(kept);
    });
  },
};

export const resourceReport: SandboxCommand = {
  name: 'resource:report',
  run: (call) =>
    report(call, {
      heading: 'resource',
      prefix: 'resource',
      bothKeys: true,
      entries: (app) =>
        Object.entries(app.limits)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, value]) => ({
            flag: `--resource-${key}`,
            label: `resource ${key.replaceAll('.', ' ')}`,
            value,
          })),
    }),
};

function show(
  call: Call,
  name: string,
  limits: Record<string, string>,
  type: string | undefined,
  scope: string,
): void {
  call.title(`resource limits ${name} information ${type ? `(${type})` : '[defaults]'}`);
  for (const kind of kinds) call.detail(`${kind}: ${limits[`${scope}.limit.${kind}`] ?? ''}`);
}
