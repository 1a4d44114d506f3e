import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { ReactNode } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { formatCount, formatLatency } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import styles from './tester.module.css';

const snippets = {
  none: 'The rule puts nothing in.',
  placed: 'It is in the page.',
  missing: 'It is not in the page.',
} as const;

export interface DryRunProps {
  proxy: ProxyRecord;
  url: string;
  /** Whether a website takes the URL. No website can be asked for another one. */
  isTaken: boolean;
  /** Further buttons about the URL. They share the line of the button here. */
  children?: ReactNode;
}

/** Asks the website once, through the proxy service and on the saved rules. */
export function DryRun({ proxy, url, isTaken, children }: DryRunProps) {
  const run = useAct('POST /api/proxies/:id/dry-run');
  const asked = isTaken && run.variables?.body.url === url;
  return (
    <>
      <div className={styles.buttons}>
        {isTaken && (
          <Button
            size="sm"
            icon="network"
            busy={run.isPending}
            busyLabel="Asking"
            onClick={() => run.mutate({ params: { id: proxy.id }, body: { url } })}
          >
            Ask the website
          </Button>
        )}
        {children}
      </div>
      <div role="status" aria-label="Answer of the website" className={styles.answer}>
        {run.error && asked && <p className={typography.small}>{problemText(run.error)}</p>}
        {run.data?.kind === 'failed' && asked && <p className={typography.small}>{run.data.reason}</p>}
        {run.data?.kind === 'answered' && asked && (
          <dl className={classNames(definitionsStyles.list, styles.facts)}>
            <dt>Status</dt>
            <dd>
              {formatCount(run.data.status)}, after {formatLatency(run.data.durationMs)}
            </dd>
            <dt>Injection</dt>
            <dd>
              {snippets[run.data.snippet.state]} {run.data.snippet.why}
            </dd>
            {run.data.headers.map(({ name, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer has a header twice, and its order never changes
              <Header key={index} name={name} value={value} />
            ))}
          </dl>
        )}
      </div>
    </>
  );
}

function Header({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={typography.monospace}>{value}</dd>
    </>
  );
}
