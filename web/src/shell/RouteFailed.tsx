import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { problemText } from '../data/problem-text.ts';
import { Failed } from '../ui/feedback/States.tsx';
import loadingStyles from './loading.module.css';

/** Shown when even the frame failed: the console is unreachable, or the page itself broke. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className={loadingStyles.cover}>
      <Failed title="The page could not be shown" level={2} onRetry={() => router.invalidate()}>
        {problemText(error)}
      </Failed>
    </main>
  );
}
