import { useApi } from '../data/use-api.ts';
import { classNames } from '../ui/class-names.ts';
import typography from '../ui/text/typography.module.css';

/** What has to be true before the proxy service answers a domain. */
export function ServedWhen() {
  const configuration = useApi('GET /api/configuration').data;
  const host = configuration && (configuration.proxyHost ?? new URL(configuration.publicUrl).hostname);
  return (
    <>
      A domain must be whitelisted with the proxy service and have a CNAME pointing to{' '}
      {host ? (
        <code className={classNames(typography.monospace, typography.longWords)}>{host}</code>
      ) : (
        'the proxy host'
      )}
      .
    </>
  );
}
