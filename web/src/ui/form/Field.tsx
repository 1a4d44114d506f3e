import { type ComponentProps, type ReactNode, type Ref, useId, useState } from 'react';
import { IconButton } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import controlsStyles from './controls.module.css';

export interface FieldFrameProps {
  label: ReactNode;
  /** Marks an optional field. Fields are required by default. */
  optional?: boolean;
  help?: ReactNode;
  /** Replaces the help. Says what is wrong and how to fix it. */
  error?: string | null | undefined;
  /** "Valid Ed25519 key" */
  ok?: string | null | undefined;
}

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Adds a label above any control and help below it. An error takes the place of the help. */
export function Field({
  label,
  optional = false,
  help,
  error,
  hint,
  ok,
  after,
  children,
}: FieldFrameProps & {
  hint?: string | undefined;
  after?: ReactNode;
  children: (wiring: Wiring) => ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? ok ?? help;
  return (
    <div className={controlsStyles.field}>
      <label htmlFor={id}>
        {label}
        {optional && <span className={controlsStyles.optional}>optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': note ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <div id={noteId} className={controlsStyles.note} aria-live="polite">
        {error ? (
          <>
            <p className={controlsStyles.error}>
              <Icon name="danger" size={14} />
              {error}
            </p>
            {hint && <p className={controlsStyles.help}>{hint}</p>}
          </>
        ) : ok ? (
          <p className={controlsStyles.valid}>
            <Icon name="success" size={14} />
            {ok}
          </p>
        ) : (
          help && <p className={controlsStyles.help}>{help}</p>
        )}
      </div>
      {after}
    </div>
  );
}

/** Passes all other props to a native input, so `react-hook-form`'s `register` fits unchanged. */
export interface TextFieldProps extends FieldFrameProps, Omit<ComponentProps<'input'>, 'size' | 'id'> {
  /** Monospace, for IPs, keys, hashes and ports. */
  mono?: boolean;
  /** Fixed text behind the value: ".northquay.example". */
  suffix?: string;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  optional,
  help,
  error,
  ok,
  mono = false,
  suffix,
  className,
  ...input
}: TextFieldProps) {
  const verbatim = mono ? { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } : {};
  return (
    <Field label={label} help={help} error={error} ok={ok} {...(optional ? { optional } : {})}>
      {(wiring) => {
        const control = (
          <input
            {...verbatim}
            {...input}
            {...wiring}
            className={classNames(
              controlsStyles.input,
              mono && typography.monospace,
              mono && controlsStyles.monospaced,
              className,
            )}
          />
        );
        if (!suffix) return control;
        return (
          <div className={controlsStyles.affix}>
            {control}
            <span className={controlsStyles.suffix}>{suffix}</span>
          </div>
        );
      }}
    </Field>
  );
}

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix'> {
  /** `current-password`, `new-password`, or `off` for tokens. */
  autoComplete: string;
  /** The name of the hidden value, for the show button: "password", "token". */
  secret?: string;
  /** Stands under the field, at the right: a link such as "Forgot password?". */
  after?: ReactNode;
}

export function PasswordField({
  label,
  optional,
  help,
  error,
  ok,
  mono = false,
  secret = 'password',
  after,
  className,
  ...input
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} help={help} error={error} ok={ok} after={after} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <div className={controlsStyles.secret}>
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...wiring}
            type={shown ? 'text' : 'password'}
            className={classNames(
              controlsStyles.input,
              mono && typography.monospace,
              mono && controlsStyles.monospaced,
              className,
            )}
          />
          <IconButton
            label={shown ? `Hide ${secret}` : `Show ${secret}`}
            icon={shown ? 'eyeoff' : 'eye'}
            iconSize={18}
            className={controlsStyles.reveal}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        </div>
      )}
    </Field>
  );
}
