import { useId } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Switch } from '../ui/form/Choice.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { PasswordField } from '../ui/form/Field.tsx';
import { Segments } from '../ui/form/Segments.tsx';
import layout from '../ui/layout/layout.module.css';
import { canUsePasskeys, type LockRequest, lockProblem } from './lock-request.ts';

export interface LockFieldsProps {
  value: LockRequest;
  onChange: (value: LockRequest) => void;
  /** The form was sent once, so its faults are shown. */
  checked: boolean;
}

/** "Lock this key". Only a locked key can be exported later. */
export function LockFields({ value, onChange, checked }: LockFieldsProps) {
  const name = useId();
  return (
    <div className={classNames(layout.stack, layout.gap3)}>
      <Switch
        label="Lock this key"
        help="Ask for a passphrase once a visit before it signs. Only a locked key can be exported again."
        checked={value.kind !== 'none'}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { kind: 'passphrase', passphrase: '' } : { kind: 'none' })
        }
      />
      {value.kind !== 'none' && canUsePasskeys() && (
        <div>
          <Segments
            legend="Lock with"
            value={value.kind}
            options={[
              { value: 'passphrase', label: 'Passphrase' },
              { value: 'passkey', label: 'Passkey' },
            ]}
            onChange={(kind) => onChange(kind === 'passkey' ? { kind } : { kind, passphrase: '' })}
          />
        </div>
      )}
      {value.kind === 'passphrase' && (
        <PasswordField
          label="Passphrase of the lock"
          name={name}
          autoComplete="new-password"
          secret="passphrase"
          className={controlsStyles.medium}
          value={value.passphrase}
          onChange={(event) => onChange({ kind: 'passphrase', passphrase: event.currentTarget.value })}
          help="It is not sent anywhere and cannot be recovered."
          error={checked ? lockProblem(value) : null}
        />
      )}
    </div>
  );
}
