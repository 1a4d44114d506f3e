import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { wantsAnotherPlace } from '../../ui/button/another-place.ts';
import type { EntryPath } from './entries.ts';

export interface EntryLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: EntryPath;
}

/**
 * A link to a page of the sidebar. The first paint draws a dozen of these links, so they must be cheap. They
 * need neither parameters nor a look for the current page, and so none of the subscriptions of the router's
 * own link.
 */
export function EntryLink({ to, onClick, children, ...rest }: EntryLinkProps) {
  // null in the build's drawing, which has no router.
  const router: ReturnType<typeof useRouter> | null = useRouter({ warn: false });
  const preload = () => void router?.preloadRoute({ to }).catch(() => undefined);
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!router || event.defaultPrevented || wantsAnotherPlace(event)) return;
    event.preventDefault();
    void router.navigate({ to });
  };
  return (
    <a {...rest} href={to} onPointerEnter={preload} onFocus={preload} onClick={open}>
      {children}
    </a>
  );
}
