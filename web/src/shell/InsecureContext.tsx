import { useSyncExternalStore } from 'react';
import { Banner } from '../ui/feedback/Banner.tsx';

const unchanging = () => () => {};

/** Warns about a missing secure context. Outside loopback a browser offers cryptography over https only. */
export function InsecureContext() {
  // The build draws the page as secure. The browser corrects that right after.
  const secure = useSyncExternalStore(
    unchanging,
    () => window.isSecureContext,
    () => true,
  );
  if (secure) return null;
  const { hostname, port } = window.location;
  const local = port || '80';
  return (
    <Banner tone="warn">
      <p>
        This address is not secure, so the browser gives this page no cryptography: keys cannot be made, kept
        or used here. Two ways out: serve the console over https, or reach it through a tunnel with{' '}
        <code>
          ssh -L {local}:127.0.0.1:{local} {hostname}
        </code>{' '}
        and open <code>http://127.0.0.1:{local}</code>.
      </p>
    </Banner>
  );
}
