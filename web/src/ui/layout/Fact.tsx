import type { ReactNode } from 'react';
import { noData } from '../text/format.ts';
import typography from '../text/typography.module.css';

/** One pair of a `dl`: a name and its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={children ? undefined : typography.subtle}>{children || noData}</dd>
    </div>
  );
}
