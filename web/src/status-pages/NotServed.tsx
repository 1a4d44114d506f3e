import { Banner } from '../ui/feedback/Banner.tsx';

/** One line for a console whose operator has the pages switched off. */
export function NotServed() {
  return (
    <Banner>
      <p>
        This console serves no status pages now. Whoever runs it can change this by the setting{' '}
        <code>HOMEPORT_STATUS_PAGES</code>. Pages that were published come back then.
      </p>
    </Banner>
  );
}
