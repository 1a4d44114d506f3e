import type { ReactNode } from 'react';
import { noData } from './format.ts';

/** One pair of a `dl`: what is asked, and what is known of it. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={children ? undefined : 'subtle'}>{children || noData}</dd>
    </div>
  );
}
