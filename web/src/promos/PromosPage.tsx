import type { Promo } from '@homeport/contract/identity/schema';
import { problemText } from '../data/problem-text.ts';
import { useApi } from '../data/use-api.ts';
import { Page } from '../page-frame/Page.tsx';
import { ButtonExternalLink } from '../ui/button/ButtonLink.tsx';
import { useCopy } from '../ui/button/use-copy.ts';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './PromosPage.module.css';
import { dollars, promosHeading, promosIntroduction, referralText } from './promos-text.ts';

export function PromosPage() {
  const configuration = useApi('GET /api/configuration');
  const promos = configuration.data?.promos ?? [];
  const referral = referralText(promos);
  return (
    <Page
      title="Free Server Credits"
      heading={promosHeading(promos)}
      sub={configuration.data ? promosIntroduction(promos) : undefined}
    >
      {configuration.isPending && (
        <Panel body="flush">
          <SkeletonRows />
        </Panel>
      )}
      {configuration.isError && promos.length === 0 && (
        <Panel>
          <Failed title="The offers could not be loaded" onRetry={() => configuration.refetch()}>
            {problemText(configuration.error)}
          </Failed>
        </Panel>
      )}
      <div className={layout.twoColumns}>
        {promos.map((promo, index) => (
          <PromoCard key={promo.url} promo={promo} icon={index % 2 === 0 ? 'server' : 'cloud'} />
        ))}
      </div>
      {referral !== null && (
        <p className={classNames(typography.extraSmall, typography.subtle, layout.below)}>{referral}</p>
      )}
    </Page>
  );
}

function PromoCard({ promo, icon }: { promo: Promo; icon: 'server' | 'cloud' }) {
  const { state, copy } = useCopy();
  const amount = dollars(promo.amountUsd);
  return (
    <section className={panelStyles.panel}>
      <div className={classNames(panelStyles.body, layout.stack, layout.gap5)}>
        <div className={classNames(layout.row, layout.gap4)}>
          <span className={styles.logo} aria-hidden="true">
            <Icon name={icon} size={24} />
          </span>
          <div>
            <h2 className={typography.heading}>{promo.provider}</h2>
            <p className={classNames(typography.small, typography.muted)}>
              For new accounts{promo.referral && ', by a referral link'}
            </p>
          </div>
          <span className={classNames(layout.atEnd, styles.amount)}>{amount}</span>
        </div>
        <ol className={styles.steps}>
          <li>Open an account with the link</li>
          <li>Start a machine with a Debian or Ubuntu image and your public key</li>
          <li>Add it under Servers</li>
        </ol>
        <div className={classNames(layout.row, layout.spaceBetween)}>
          <ButtonExternalLink href={promo.url} icon="external">
            Claim up to {amount}
          </ButtonExternalLink>
          <span className={typography.small} aria-live="polite">
            <LinkButton onClick={() => copy(promo.url)}>
              {state === 'copied' ? 'Copied' : 'Copy the link'}
            </LinkButton>
          </span>
        </div>
      </div>
    </section>
  );
}
