import { useState } from 'react';
import { IconButton } from '../../../ui/button/Button.tsx';
import { CodeFrame, CopyButton } from '../../../ui/button/CodeLine.tsx';
import controlsStyles from '../../../ui/form/controls.module.css';
import layout from '../../../ui/layout/layout.module.css';
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
      <CodeFrame
        // A revealed string is shown whole.
        wrap={revealed}
        busy={busy}
        actions={
          <>
            <IconButton
              label={revealed ? `Hide ${what}` : `Show ${what}`}
              icon={revealed ? 'eyeoff' : 'eye'}
              aria-pressed={revealed}
              disabled={busy}
              onClick={() => void reveal()}
            />
            <CopyButton text={read} what={what} />
          </>
        }
      >
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
      </CodeFrame>
      <p className={controlsStyles.help}>{help}</p>
    </div>
  );
}
