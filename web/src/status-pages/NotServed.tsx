import { useSession } from '../data/session.ts';
import { Banner } from '../ui/feedback/Banner.tsx';

/** One line for a console whose operator has the pages switched off. */
export function NotServed() {
  const { owner } = useSession();
  return (
    <Banner>
      <p>
        This console serves no status pages now.{' '}
        {owner ? (
          <>
            The setting <code>HOMEPORT_STATUS_PAGES</code> switches them on.
          </>
        ) : (
          'Whoever runs it can switch them on.'
        )}{' '}
        Pages that were published come back then.
      </p>
    </Banner>
  );
}
