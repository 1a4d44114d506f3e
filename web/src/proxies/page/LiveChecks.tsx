import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/picture/Icon.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './LiveChecks.module.css';
import { ownershipText, pointingText } from './standing-text.ts';

/** The two checks that decide whether a domain is served, when DNS was asked, and until when its certificate holds. */
export function LiveChecks({ proxy: { domain, standing } }: { proxy: ProxyRecord }) {
  const { pointing, ownedBy, lookedAt, certificate } = standing;
  return (
    <>
      <ul className={styles.checks} aria-label="Live checks">
        <Check done={pointing === true} text={pointingText(standing)} />
        <Check done={ownedBy !== null} text={ownershipText(domain, ownedBy)} />
      </ul>
      <p className={classNames(typography.extraSmall, typography.subtle)}>
        {lookedAt === null ? (
          'DNS was not asked yet.'
        ) : (
          <>
            DNS was asked <Time at={lookedAt} />.
          </>
        )}
        {certificate !== null && (
          <>
            {' '}
            Its certificate ends <Time at={certificate.validTo} as="date" />.
          </>
        )}
      </p>
    </>
  );
}

function Check({ done, text }: { done: boolean; text: string }) {
  return (
    <li className={done ? styles.done : undefined}>
      <Icon name={done ? 'success' : 'clock'} size={14} />
      {text}
    </li>
  );
}
