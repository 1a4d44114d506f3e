import './promos.css';
import { problemText } from '../data/api-problem.ts';
import { useApi } from '../data/use-api.ts';
import { Page } from '../shell/Page.tsx';
import { LinkButton } from '../ui/Banner.tsx';
import { ButtonExternalLink } from '../ui/ButtonLink.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Failed, SkeletonRows } from '../ui/States.tsx';
import { useCopy } from '../ui/use-copy.ts';

const title = 'Free server credits worth up to $100 each ($200 total)';

export function PromosPage() {
  const configuration = useApi('GET /api/configuration');
  const promos = configuration.data?.promos ?? [];
  return (
    <Page
      title="Free Server Credits"
      heading={title}
      sub="Two cloud providers give credits to new accounts. Start a machine there, then add it here."
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
      <div className="grid2">
        {promos.map((promo, index) => (
          <PromoCard key={promo.url} promo={promo} icon={index % 2 === 0 ? 'server' : 'cloud'} />
        ))}
      </div>
      {promos.length > 0 && (
        <p className="xs subtle below">
          These are referral links. Homeport may receive credits when you use one.
        </p>
      )}
    </Page>
  );
}

interface Promo {
  provider: string;
  amountUsd: number;
  url: string;
}

function PromoCard({ promo, icon }: { promo: Promo; icon: 'server' | 'cloud' }) {
  const { state, copy } = useCopy();
  const amount = `$${promo.amountUsd}`;
  return (
    <section className="panel">
      <div className="panel-b stack g5">
        <div className="row g4">
          <span className="prov" aria-hidden="true">
            <Icon name={icon} size={24} />
          </span>
          <div>
            <h2 className="h2">{promo.provider}</h2>
            <p className="sm muted">For new accounts</p>
          </div>
          <span className="end amount">{amount}</span>
        </div>
        <ol className="how">
          <li>Open an account with the link</li>
          <li>Start a machine with a Debian or Ubuntu image and your public key</li>
          <li>Add it under Servers</li>
        </ol>
        <div className="row between">
          <ButtonExternalLink href={promo.url} icon="external">
            Claim up to {amount}
          </ButtonExternalLink>
          <span className="sm" aria-live="polite">
            <LinkButton onClick={() => copy(promo.url)}>
              {state === 'copied' ? 'Copied' : 'Copy the link'}
            </LinkButton>
          </span>
        </div>
      </div>
    </section>
  );
}
