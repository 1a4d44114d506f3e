import { Banner } from '../ui/feedback/Banner.tsx';

/** Why nobody sees a page, in the words of whoever runs the console. */
export function TakenDown({ reason }: { reason: string }) {
  return (
    <Banner tone="warn">
      <p>
        Whoever runs this console took the page down: {reason} What you wrote is kept. You can publish it once
        they allow it again.
      </p>
    </Banner>
  );
}
