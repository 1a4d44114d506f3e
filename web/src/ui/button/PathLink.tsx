import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { wantsAnotherPlace } from './another-place.ts';

interface PathLinkProps {
  /** A path of the console with its search, as the console's own messages name it. */
  path: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A link to a page whose address is data: the console named it. Pages that are known here use the router's own link. */
export function PathLink({ path, className, children }: PathLinkProps) {
  const router = useRouter();
  return (
    <a
      href={path}
      className={className}
      onClick={(event) => {
        if (wantsAnotherPlace(event)) return;
        event.preventDefault();
        router.history.push(path);
      }}
    >
      {children}
    </a>
  );
}
