import type { ReactNode } from 'react';
import { problemText } from '../data/problem-text.ts';
import { Banner } from '../ui/feedback/Banner.tsx';

export interface ProblemBannerProps {
  /** The error that the call ended with. */
  error: Error;
  /** Comes first: says which act failed. */
  children?: ReactNode;
}

/** Says why a call failed. Stands above the form or list that made the call. */
export function ProblemBanner({ error, children }: ProblemBannerProps) {
  return (
    <Banner tone="bad">
      <p>
        {children} {problemText(error)}
      </p>
    </Banner>
  );
}
