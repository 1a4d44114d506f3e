import type { App } from '@homeport/contract/apps/schema';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import layout from '../../../ui/layout/layout.module.css';
import panelStyles from '../../../ui/layout/panel.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './ScaleBar.module.css';
import { type Change, costSentences } from './scale-draft.ts';

export interface ScaleBarProps {
  app: Pick<App, 'id' | 'stopped'>;
  changes: readonly Change[];
  memoryOf: (type: string) => number | null;
  /** A field holds no number. */
  blocked: boolean;
  onDiscard: () => void;
}

/** Says what the new numbers cost before they are applied. A stopped app stays stopped unless the box is ticked. */
export function ScaleBar({ app, changes, memoryOf, blocked, onDiscard }: ScaleBarProps) {
  const [start, setStart] = useState(false);
  const scale = useAct('POST /api/apps/:id/scale', {
    onDone: ({ id }) => {
      onDiscard();
      openOperation(id);
    },
    onFailed: (error: Error) => toast.bad(problemText(error)),
  });
  const words = changes.map(({ type, from, to }) => `${type} from ${from} to ${to}`).join(', ');
  const verb = app.stopped && !start ? 'Keep for the next start' : app.stopped ? 'Scale and start' : 'Scale';
  return (
    <div className={classNames(panelStyles.foot, styles.bar)}>
      <div className={layout.grow}>
        <p role="status">
          <b className={typography.strong}>{words}.</b>{' '}
          {costSentences({ changes, memoryOf, stopped: app.stopped && !start }).join(' ')}
        </p>
        {app.stopped && (
          <Checkbox
            checked={start}
            onChange={(event) => setStart(event.currentTarget.checked)}
            label="Start the app with these numbers. Its predeploy and release tasks run."
          />
        )}
      </div>
      <Button variant="ghost" disabled={scale.isPending} onClick={onDiscard}>
        Discard
      </Button>
      <Button
        variant="primary"
        busy={scale.isPending}
        busyLabel="Scaling"
        disabled={blocked}
        onClick={() => scale.mutate({ params: { id: app.id }, body: { processes: [...changes], start } })}
      >
        {verb}
      </Button>
    </div>
  );
}
