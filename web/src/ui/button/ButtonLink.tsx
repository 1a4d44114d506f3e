import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';

interface AnchorProps extends ComponentProps<'a'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  block?: boolean;
}

function ButtonAnchor({
  variant = 'default',
  size = 'md',
  icon,
  block = false,
  className,
  children,
  ...rest
}: AnchorProps) {
  return (
    <a {...rest} className={buttonClass({ variant, size, block }, className)}>
      {icon && <Icon name={icon} size={size === 'sm' ? 14 : 16} />}
      {children}
    </a>
  );
}

/** A link that looks like a button: `<ButtonLink to="/apps/new" variant="primary" icon="plus">New app</ButtonLink>`. */
export const ButtonLink = createLink(ButtonAnchor);

/** The same for an address outside the console; opens a new tab and says so. */
export function ButtonExternalLink({ children, href, ...look }: AnchorProps & { href: string }) {
  return (
    <ButtonAnchor {...look} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr"> (opens a new tab)</span>
    </ButtonAnchor>
  );
}
