import type { FoundApp } from '@homeport/contract/servers/import-schema';
import { limitsText } from '../../../apps/page/limits/limit-differences.ts';
import { planWithMemory } from '../../../apps/plan-text.ts';

const stateWords = { undeployed: 'Not deployed yet', stopped: 'Stopped', running: 'Deployed' } as const;

/** "Deployed · Plan 2, 256 MB · shop.example.com and 2 more · from https://…" */
export function foundAppText(app: FoundApp): string {
  const { state, domains, source } = app;
  const [first, ...more] = domains;
  return [
    stateWords[state],
    limitsOf(app),
    first === undefined ? 'No domain' : more.length === 0 ? first : `${first} and ${more.length} more`,
    ...(source === null ? [] : [`from ${source}`]),
  ].join(' · ');
}

function limitsOf({ plan, memoryMb, cpus }: FoundApp): string {
  if (plan !== null) return planWithMemory(plan);
  return memoryMb === null && cpus === null ? 'No limits' : `No plan: ${limitsText({ memoryMb, cpus })}`;
}

/** Whose keys may push to the app. */
export function pushersText({ pushers }: Pick<FoundApp, 'pushers'>): string {
  return pushers === null
    ? 'Every key of the server may push to it.'
    : `${namesText(pushers)} may push to it.`;
}

/** "alice, bob and 3 more" */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, 5);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
