import { classNames } from '../class-names.ts';
import styles from './Button.module.css';

export type ButtonVariant = 'default' | 'primary' | 'ghost' | 'danger' | 'danger-quiet';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Fills the width of its container. */
  block?: boolean;
  /** A square around an icon. */
  iconOnly?: boolean;
}

const variantClass: Record<ButtonVariant, string | undefined> = {
  default: undefined,
  primary: styles.primary,
  ghost: styles.ghost,
  danger: styles.danger,
  'danger-quiet': styles.quietDanger,
};
const sizeClass: Record<ButtonSize, string | undefined> = {
  sm: styles.small,
  md: undefined,
  lg: styles.large,
};

/** Makes a native button or link look like a Button. */
export function buttonClass(
  { variant = 'default', size = 'md', block = false, iconOnly = false }: ButtonLook,
  extra?: string,
) {
  return classNames(
    styles.button,
    variantClass[variant],
    sizeClass[size],
    block && styles.block,
    iconOnly && styles.iconOnly,
    extra,
  );
}
