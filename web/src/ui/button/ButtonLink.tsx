import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import layout from '../layout/layout.module.css';
import { Icon, type IconName } from '../picture/Icon.tsx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
import { isWebAddress } from './web-address.ts';

interface AnchorProps extends ComponentProps<'a'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  block?: boolean;
  /** Draws a square around the icon and hides the text. */
  iconOnly?: boolean;
}

function ButtonAnchor({
  variant = 'default',
  size = 'md',
  icon,
  block = false,
  iconOnly = false,
  className,
  children,
  ...rest
}: AnchorProps) {
  return (
    <a {...rest} className={buttonClass({ variant, size, block, iconOnly }, className)}>
      {icon && <Icon name={icon} size={size === 'sm' ? 14 : 16} />}
      {children}
    </a>
  );
}

/**
 * A link with the look of a button: `<ButtonLink to="/apps/new" variant="primary" icon="plus">New
 * app</ButtonLink>`.
 */
export const ButtonLink = createLink(ButtonAnchor);

/**
 * A ButtonLink to an address outside the console. Opens a new tab and says so. Draws nothing if the address
 * is not a web page.
 */
export function ButtonExternalLink({ children, href, ...look }: AnchorProps & { href: string }) {
  if (!isWebAddress(href)) return null;
  return (
    <ButtonAnchor {...look} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className={layout.visuallyHidden}> (opens a new tab)</span>
    </ButtonAnchor>
  );
}

/** A link with the look of a button to a file of the console, which the browser saves. */
export function DownloadLink({ href, ...look }: AnchorProps & { href: string }) {
  return <ButtonAnchor {...look} href={href} download="" />;
}
