import type { Key } from '@homeport/contract/credentials/schema';
import { useId } from 'react';
import { shownFingerprint } from '../../credentials/shown-fingerprint.ts';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './KeyChoice.module.css';

export interface KeyChoiceProps {
  keys: readonly Key[];
  chosen: readonly string[];
  onChange: (keyIds: string[]) => void;
  error?: string | undefined;
}

export function KeyChoice({ keys, chosen, onChange, error }: KeyChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className={controlsStyles.field} aria-describedby={error ? errorId : undefined}>
      <legend className={controlsStyles.label}>Keys allowed to deploy</legend>
      <div className={classNames(layout.stack, layout.gap2, styles.keys)}>
        {keys.map((key) => (
          <Checkbox
            key={key.id}
            name="keyIds"
            checked={chosen.includes(key.id)}
            aria-invalid={error ? true : undefined}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, key.id] : chosen.filter((id) => id !== key.id),
              )
            }
            label={
              <span className={typography.twoLines}>
                <span>{key.name}</span>
                <small
                  className={classNames(typography.monospace, styles.fingerprint)}
                  title={key.fingerprint}
                >
                  {shownFingerprint(key.id)}
                </small>
              </span>
            }
          />
        ))}
      </div>
      {error && (
        <p className={controlsStyles.error} id={errorId} role="alert">
          <Icon name="danger" size={14} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
