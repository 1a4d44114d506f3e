import type { Key } from '@homeport/contract/credentials';
import { useId } from 'react';
import { Checkbox } from '../../ui/Choice.tsx';
import { Icon } from '../../ui/Icon.tsx';

export interface KeyChoiceProps {
  keys: readonly Key[];
  chosen: readonly string[];
  onChange: (keyIds: string[]) => void;
  error?: string | undefined;
}

export function KeyChoice({ keys, chosen, onChange, error }: KeyChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className="field" aria-describedby={error ? errorId : undefined}>
      <legend className="lab">Keys allowed to deploy</legend>
      <div className="stack g2">
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
              <span className="two">
                <span>{key.name}</span>
                <small className="mono keyprint">{key.fingerprint}</small>
              </span>
            }
          />
        ))}
      </div>
      {error && (
        <p className="err" id={errorId} role="alert">
          <Icon name="danger" size={14} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
