import { planOf } from '@homeport/contract/apps/plans';
import type { ContainerLimits, Resources } from '@homeport/contract/apps/settings-schema';
import { formatPlanMemory } from '../../../ui/text/format.ts';

interface Limits {
  memoryMb: number | null;
  cpus: number | null;
}

const bytesPerMb = 1024 * 1024;

/** A container's limits in the plan's units. */
export function limitsOf({ memoryBytes, cpus }: Pick<ContainerLimits, 'memoryBytes' | 'cpus'>): Limits {
  return { memoryMb: memoryBytes === null ? null : memoryBytes / bytesPerMb, cpus };
}

/** "512 MB and 0.5 CPUs" */
export function limitsText({ memoryMb, cpus }: Limits): string {
  const memory = memoryMb === null ? 'no memory limit' : formatPlanMemory(memoryMb);
  return `${memory} and ${cpus === null ? 'no CPU limit' : `${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'}`}`;
}

/**
 * Sentences on how the server differs from the plan. Somebody else may have set other limits, or nobody set
 * any. A container may be older than the limits that are set now. `size` is null for an app without a plan.
 */
export function limitDifferences(resources: Resources, size: number | null): string[] {
  const found: string[] = [];
  const plan = size === null ? null : planOf(size);
  if (plan && !isSame(resources, plan))
    found.push(
      `Plan ${size} gives ${limitsText(plan)}, but ${limitsText(resources)} ${resources.memoryMb === null && resources.cpus === null ? 'is' : 'are'} set on the server. Choose a plan to set its limits again.`,
    );
  for (const container of resources.containers ?? []) {
    const has = limitsOf(container);
    if (!isSame(has, resources))
      found.push(
        `${container.name} runs with ${limitsText(has)}: what is set holds from its next restart on.`,
      );
  }
  return found;
}

const isSame = (a: Limits, b: Limits) => a.memoryMb === b.memoryMb && a.cpus === b.cpus;

/**
 * One sentence on limits that hold everywhere: "512 MB and 0.5 CPUs, for web.1 and new containers. The server has 2 CPUs." null where
 * a container has a fact of its own, or where too little is known for a sentence.
 */
export function quietLimits({ memoryMb, cpus, hostCpus, containers }: Resources): string | null {
  if (containers === null || hostCpus === null || (cpus !== null && cpus > hostCpus)) return null;
  if (containers.length > 3) return null;
  if (containers.some((each) => each.state !== 'running' || each.outOfMemory || each.restarts > 0))
    return null;
  const names = [...containers.map(({ name }) => name), 'new containers'];
  const whom = `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
  return `${limitsText({ memoryMb, cpus })}, for ${whom}. The server has ${hostCpus} ${hostCpus === 1 ? 'CPU' : 'CPUs'}.`;
}
