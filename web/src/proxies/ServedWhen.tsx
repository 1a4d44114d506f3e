import { useApi } from '../data/use-api.ts';
import { classNames } from '../ui/class-names.ts';
import typography from '../ui/text/typography.module.css';
import styles from './proxies.module.css';

/** What has to be true before the proxy service answers a domain. */
export function ServedWhen() {
  const host = useApi('GET /api/configuration').data?.proxyHost;
  return (
    <>
      A domain must be whitelisted with the proxy service and have a CNAME pointing to{' '}
      {host ? (
        <code className={classNames(typography.monospace, styles.host)}>{host}</code>
      ) : (
        'the proxy host, which the operator of this console has not named yet (HOMEPORT_PROXY_NAME)'
      )}
      .
    </>
  );
}
