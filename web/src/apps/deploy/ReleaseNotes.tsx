import type { Releases } from '@homeport/contract/apps/releases/schema';
import { Banner } from '../../ui/feedback/Banner.tsx';

/** What is in the way of going back. */
export function ReleaseNotes({ releases: { cutOff, known, kept } }: { releases: Releases }) {
  if (cutOff !== null)
    return (
      <Banner tone="warn">
        <p>
          A going-back was cut off on the server, so parts of two versions may serve, or start with the next
          restart.{' '}
          {kept.length > 0
            ? 'Go back to one of the kept versions, or rebuild: each ends'
            : 'Rebuild the app: that ends'}{' '}
          what was left.
        </p>
      </Banner>
    );
  if (!known)
    return (
      <Banner tone="warn">
        <p>Docker did not say which versions the server keeps.</p>
      </Banner>
    );
  return null;
}
