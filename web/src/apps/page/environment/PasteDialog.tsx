import { useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Textarea } from '../../../ui/form/Textarea.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './PasteDialog.module.css';
import { previewPaste } from './preview-paste.ts';
import { StateBadge } from './StateBadge.tsx';
import type { Variable } from './staged-changes.ts';

export interface PasteDialogProps {
  variables: readonly Variable[];
  onStage: (edits: readonly (readonly [string, string])[]) => void;
  onClose: () => void;
}

/** Takes many variables from the text of a .env file. It first previews the changes without any value. */
export function PasteDialog({ variables, onStage, onClose }: PasteDialogProps) {
  const listId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const { rows, badLines } = useMemo(() => previewPaste(text, variables), [text, variables]);
  const edits = rows.filter(({ state }) => state !== 'kept' && state !== 'refused');
  const stageAll = () => {
    onStage(edits.map(({ key, value }) => [key, value]));
    onClose();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Paste a .env file"
      description="Variables that the file does not name stay as they are. Nothing is sent before you save."
      dirty={text !== ''}
      initialFocus={area}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            disabledReason={edits.length === 0 ? 'The text changes nothing.' : null}
            onClick={stageAll}
          >
            {edits.length === 1 ? 'Take 1 change' : `Take ${edits.length} changes`}
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        <Textarea
          ref={area}
          label="Text of the file"
          mono
          rows={8}
          autoComplete="off"
          placeholder={'MODE=production\nGREETING="Good morning"'}
          value={text}
          help="Lines of KEY=VALUE. A key without a value is removed."
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {badLines.length > 0 && (
          <Banner tone="warn">
            <p>
              {badLines.length === 1 ? `Line ${badLines[0]} is` : `Lines ${badLines.join(', ')} are`} not
              KEY=VALUE, so the page leaves {badLines.length === 1 ? 'it' : 'them'} out.
            </p>
          </Banner>
        )}
        {rows.length > 0 && (
          <section className={classNames(layout.stack, layout.gap2)} aria-labelledby={listId}>
            <h3 className={typography.subheading} id={listId}>
              What it changes
            </h3>
            <ul className={styles.differences}>
              {rows.map(({ key, state, note }) => (
                <li key={key} className={classNames(layout.row, layout.spaceBetween, layout.gap3)}>
                  <span className={typography.twoLines}>
                    <span className={typography.monospace}>{key}</span>
                    {note && <small>{note}</small>}
                  </span>
                  {state === 'refused' ? (
                    <span className={classNames(typography.extraSmall, typography.subtle)}>Left out</span>
                  ) : state === 'kept' ? (
                    <span className={classNames(typography.extraSmall, typography.subtle)}>No change</span>
                  ) : (
                    <StateBadge state={state} />
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}
