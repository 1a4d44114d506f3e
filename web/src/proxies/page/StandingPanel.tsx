import { daysToCertificateEnd } from '@homeport/contract/notifications/kinds';
import type { ProxyRecord, ProxyStanding, WantedRecord } from '@homeport/contract/proxies/schema';
import { CopyValue } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { ServedWhen } from '../ServedWhen.tsx';
import { AddRecordButton, NotAdded, useAddRecord } from './AddRecord.tsx';
import { LiveChecks } from './LiveChecks.tsx';
import styles from './StandingPanel.module.css';
import { isInOrder, standingText } from './standing-text.ts';

/** What is missing until the domain is served, or what fails, and the exact record that mends it. */
export function StandingPanel({ proxy }: { proxy: ProxyRecord }) {
  const { standing, domain } = proxy;
  const { state, reason, servedUntil, certificate, wanted } = standing;
  const certificateDays = useCertificateDays(certificate);
  if (isInOrder(standing) && certificateDays === null) return null;
  return (
    <div className={classNames(layout.stack, layout.gap3)}>
      {!isInOrder(standing) && (
        <Banner tone={state === 'failing' ? 'bad' : 'warn'}>
          <p className={typography.strong}>{standingText(state)}</p>
          {reason !== null && <p className={styles.reason}>{reason}</p>}
          {servedUntil !== null && (
            <p>
              Its checks fail. The domain is served until <Time at={servedUntil} as="datetime" />, unless they
              succeed again.
            </p>
          )}
          {state !== 'serving' && (
            <p>
              <ServedWhen />
            </p>
          )}
          <LiveChecks proxy={proxy} />
        </Banner>
      )}
      {certificateDays !== null && <CertificateEnds days={certificateDays} />}
      {wanted.map((record) => (
        <Wanted key={record.purpose} record={record} domain={domain} />
      ))}
    </div>
  );
}

/** How many days the certificate has left, while that is worth a warning. null otherwise. */
function useCertificateDays(certificate: ProxyStanding['certificate']): number | null {
  const now = useNow(60_000);
  return certificate === null ? null : daysToCertificateEnd(certificate, now);
}

function CertificateEnds({ days }: { days: number }) {
  return (
    <Banner tone="warn">
      <p>
        The certificate of the domain ends within {days === 1 ? '1 day' : `${days} days`}. The front in front
        of the proxy service should have renewed it by now: ask the operator of this console to read its log.
      </p>
    </Banner>
  );
}

const titles: Record<WantedRecord['purpose'], string> = {
  pointing: 'Add this record, so that visitors reach the proxy service',
  ownership: 'Add this record, so that it is proven that the domain is yours',
};

function Wanted({ record, domain }: { record: WantedRecord; domain: string }) {
  const { purpose, type, name, content } = record;
  const add = useAddRecord();
  return (
    <Panel
      title={titles[purpose]}
      level={3}
      line={false}
      actions={<AddRecordButton record={record} add={add} />}
    >
      <dl className={definitionsStyles.list}>
        <dt>Type</dt>
        <dd>{type}</dd>
        <dt>Name</dt>
        <dd>
          <CopyValue text={name} what={`name of the ${type} record`} />
        </dd>
        <dt>Content</dt>
        <dd>
          <CopyValue text={content} what={`content of the ${type} record`} />
        </dd>
      </dl>
      {add.error && <NotAdded record={record} error={add.error} className={styles.add} />}
      {purpose === 'pointing' && type !== 'CNAME' && (
        <p className={classNames(typography.extraSmall, typography.subtle, styles.apex)}>
          That is the address of this console. Where visitors reach the proxy service at another one, use
          that.
        </p>
      )}
      {purpose === 'pointing' && type === 'CNAME' && (
        <p className={classNames(typography.extraSmall, typography.subtle, styles.apex)}>
          A domain without a subdomain cannot hold a CNAME everywhere. Where your DNS refuses one at {domain},
          use its flattening (ALIAS or ANAME), or the addresses that {content} has.
        </p>
      )}
      {purpose === 'ownership' && (
        <p className={classNames(typography.extraSmall, typography.subtle, styles.apex)}>
          The record stays: without it the domain is not proven any more. Where you cannot add one, the owner
          of this console can confirm the domain on the page Proxies.
        </p>
      )}
    </Panel>
  );
}
