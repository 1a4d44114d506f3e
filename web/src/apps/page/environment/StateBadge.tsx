import { Badge, type BadgeTone } from '../../../ui/feedback/Status.tsx';
import type { VariableState } from './staged-changes.ts';

const looks: Record<Exclude<VariableState, 'kept'>, { word: string; tone: BadgeTone }> = {
  added: { word: 'New', tone: 'ok' },
  changed: { word: 'Changed', tone: 'info' },
  removed: { word: 'Removed', tone: 'warn' },
};

export function StateBadge({ state }: { state: Exclude<VariableState, 'kept'> }) {
  return <Badge tone={looks[state].tone}>{looks[state].word}</Badge>;
}
