import type { ReactNode } from 'react';
import { problemText } from '../data/api-problem.ts';
import { Banner } from '../ui/feedback/Banner.tsx';

export interface ProblemBannerProps {
  /** What the call failed with. */
  error: Error;
  /** Said first: what did not come about. */
  children?: ReactNode;
}

/** Why a call failed, above what it was made from. */
export function ProblemBanner({ error, children }: ProblemBannerProps) {
  return (
    <Banner tone="bad">
      <p>
        {children} {problemText(error)}
      </p>
    </Banner>
  );
}
