import { useState } from 'react';
import { IconButton } from '../../../ui/button/Button.tsx';
import codeLineStyles from '../../../ui/button/CodeLine.module.css';
import { CopyButton } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import controlsStyles from '../../../ui/form/controls.module.css';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { maskUrl } from './mask-url.ts';

export interface ConnectionLineProps {
  /** "From apps on lantern" */
  label: string;
  help: string;
  /** null: not read yet. */
  url: string | null;
  /** Reads the connection string from the server. */
  read: () => Promise<string>;
  busy: boolean;
}

/** A connection string. Its password is hidden until the person asks for it; the copy is always complete. */
export function ConnectionLine({ label, help, url, read, busy }: ConnectionLineProps) {
  const [revealed, setRevealed] = useState(false);
  const what = `connection string ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const reveal = async () => {
    if (revealed) return setRevealed(false);
    // The panel shows the failure.
    await read().then(
      () => setRevealed(true),
      () => undefined,
    );
  };
  return (
    <div className={controlsStyles.field}>
      <span className={controlsStyles.label}>{label}</span>
      <div className={codeLineStyles.line} aria-busy={busy || undefined}>
        <code className={typography.truncated}>
          {url === null ? (
            <>
              <span aria-hidden="true">••••••••••••••••••••••••</span>
              <span className={layout.visuallyHidden}>Hidden</span>
            </>
          ) : revealed ? (
            url
          ) : (
            maskUrl(url)
          )}
        </code>
        <span className={classNames(layout.row, layout.atEnd)}>
          <IconButton
            label={revealed ? `Hide ${what}` : `Show ${what}`}
            icon={revealed ? 'eyeoff' : 'eye'}
            aria-pressed={revealed}
            disabled={busy}
            onClick={() => void reveal()}
          />
          <CopyButton text={read} what={what} />
        </span>
      </div>
      <p className={controlsStyles.help}>{help}</p>
    </div>
  );
}
