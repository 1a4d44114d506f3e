import type { ReactNode } from 'react';
import { noData } from '../text/format.ts';
import typography from '../text/typography.module.css';
import definitionsStyles from './definitions.module.css';

interface FactProps {
  name: string;
  /** Takes a line of a grid for itself. */
  whole?: boolean;
  children: ReactNode;
}

/** One pair of a `dl`: a name and its value. */
export function Fact({ name, whole, children }: FactProps) {
  return (
    <div className={whole ? definitionsStyles.whole : undefined}>
      <dt>{name}</dt>
      <dd className={children ? undefined : typography.subtle}>{children || noData}</dd>
    </div>
  );
}
