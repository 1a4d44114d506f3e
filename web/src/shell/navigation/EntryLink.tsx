import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import type { EntryPath } from './entries.ts';

export interface EntryLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: EntryPath;
}

/**
 * A link to one of the pages that the sidebar names. It has neither parameters nor a look of its own for the current page,
 * so it needs nothing of what the router's link subscribes to and computes: the first paint has a dozen of these.
 */
export function EntryLink({ to, onClick, children, ...rest }: EntryLinkProps) {
  // The build draws it without one.
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

/** A new tab, a new window, a download: the browser's own business. */
const wantsAnotherPlace = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
