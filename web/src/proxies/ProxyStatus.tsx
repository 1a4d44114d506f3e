import type { ProxyState } from '@homeport/contract/proxies/facts';
import quietStatusStyles from '../ui/feedback/quiet-status.module.css';
import { Badge, type BadgeTone, Lamp, type LampState } from '../ui/feedback/Status.tsx';

const looks: Record<ProxyState, { word: string; tone: BadgeTone; lamp: LampState }> = {
  serving: { word: 'Serving', tone: 'ok', lamp: 'on' },
  waiting: { word: 'Waiting for DNS', tone: 'none', lamp: 'nodata' },
  not_owned: { word: 'Not owned', tone: 'warn', lamp: 'nodata' },
  failing: { word: 'Failing', tone: 'bad', lamp: 'off' },
};

export interface ProxyStatusProps {
  state: ProxyState;
  /** Boxes every state, as in a page header. By default only what is not well has a box. */
  boxed?: boolean;
}

export function ProxyStatus({ state, boxed = false }: ProxyStatusProps) {
  const { word, tone, lamp } = looks[state];
  if (boxed || state !== 'serving')
    return (
      <Badge tone={tone} lamp={lamp}>
        {word}
      </Badge>
    );
  return (
    <span className={quietStatusStyles.status}>
      <Lamp state={lamp} />
      {word}
    </span>
  );
}
