import type { ComponentProps, ReactNode, Ref } from 'react';
import layout from '../layout/layout.module.css';
import { Icon, type IconName } from '../picture/Icon.tsx';
import iconStyles from '../picture/icon.module.css';
import styles from './Button.module.css';
import { type ButtonLook, type ButtonVariant, buttonClass } from './button-class.ts';

interface Look extends Omit<ButtonLook, 'iconOnly'> {
  icon?: IconName;
}

export interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'children'> {
  children: ReactNode;
  /**
   * The action is running: the button stays, its icon spins, and it cannot be pressed again. Also give
   * `busyLabel` ("Saving").
   */
  busy?: boolean | undefined;
  busyLabel?: string;
  /** Why the button cannot be pressed now. Spoken, and shown as the title. Implies disabled. */
  disabledReason?: string | null | undefined;
  ref?: Ref<HTMLButtonElement>;
}

const iconSize = { sm: 14, md: 16, lg: 18 } as const;

export function Button({
  variant = 'default',
  size = 'md',
  icon,
  block = false,
  busy = false,
  busyLabel,
  disabledReason,
  children,
  className,
  disabled,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const blocked = Boolean(disabledReason);
  const shown = busy ? 'refresh' : icon;
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, block }, className)}
      disabled={disabled}
      // A button with a reason stays focusable, so that keyboard users can reach the reason.
      aria-disabled={blocked || busy || undefined}
      aria-busy={busy || undefined}
      title={disabledReason ?? rest.title}
      onClick={blocked || busy ? (event) => event.preventDefault() : onClick}
    >
      {shown && (
        <Icon name={shown} size={iconSize[size]} {...(busy ? { className: iconStyles.spinning } : {})} />
      )}
      {busy && busyLabel ? busyLabel : children}
      {disabledReason && <span className={layout.visuallyHidden}>. {disabledReason}</span>}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The action with its object: "Delete mail". */
  label: string;
  icon: IconName;
  variant?: ButtonVariant;
  size?: 'sm' | 'md';
  iconSize?: 14 | 16 | 18 | 20;
  /** As of `Button`. */
  disabledReason?: string | null | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'sm',
  iconSize = 16,
  disabledReason,
  className,
  type = 'button',
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={disabledReason ? `${label}. ${disabledReason}` : label}
      // As in `Button`, a button with a reason stays focusable.
      aria-disabled={disabledReason ? true : rest['aria-disabled']}
      title={disabledReason ?? rest.title ?? label}
      onClick={disabledReason ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ variant, size, iconOnly: true }, className)}
    >
      <Icon name={icon} size={iconSize} />
    </button>
  );
}

/** Related buttons, drawn as one. */
export function ButtonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this is a toolbar's group
    <div className={styles.group} role="group" aria-label={label}>
      {children}
    </div>
  );
}
