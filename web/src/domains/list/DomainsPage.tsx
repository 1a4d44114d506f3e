import { messages } from '@homeport/contract/messages';
import { Link } from '@tanstack/react-router';
import { problemText } from '../../data/problem-text.ts';
import { DemoAccounts } from '../../demo/DemoAccounts.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Banner, LinkButton } from '../../ui/feedback/Banner.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import { useZones } from '../use-zones.ts';
import { ZonesPanel } from './ZonesPanel.tsx';

export function DomainsPage() {
  const { zones, refresh } = useZones();
  const { data } = zones;
  return (
    <Page
      title="Domains"
      sub={
        data?.linked && (
          <>
            {formatCount(data.zones.length)} {data.zones.length === 1 ? 'domain' : 'domains'} at Cloudflare,
            read <Time at={data.readAt} />.
          </>
        )
      }
      actions={
        data?.linked && (
          <Button
            icon="refresh"
            busy={refresh.isPending}
            busyLabel="Reading"
            onClick={() => refresh.mutate({ body: { byHand: true } })}
          >
            Refresh
          </Button>
        )
      }
    >
      <div className={layout.banners}>
        {data?.linked === false && <NotLinked />}
        {data?.linked === false && <DemoAccounts />}
        {data?.problem && (
          <Banner tone="warn">
            <p>
              {data.problem}{' '}
              <Link to="/profile" hash="cloudflare">
                Link your account again on Profile
              </Link>
              {data.zones.length > 0 && '. Showing the domains as Cloudflare last reported them'}.
            </p>
          </Banner>
        )}
        {refresh.isError && !data?.problem && (
          <Banner tone="warn">
            <p>
              {problemText(refresh.error)} Showing the list from <Time at={data?.readAt} as="datetime" />.{' '}
              <LinkButton onClick={() => refresh.mutate({ body: { byHand: true } })}>Try again</LinkButton>
            </p>
          </Banner>
        )}
        {data?.more && (
          <Banner>
            <p>Your account has more domains. The first {formatCount(data.zones.length)} are shown.</p>
          </Banner>
        )}
      </div>
      {zones.isPending && (
        <Panel body="flush" busy>
          <SkeletonRows />
        </Panel>
      )}
      {zones.isError && !data && (
        <Panel>
          <Failed title="The domains could not be loaded" onRetry={() => void zones.refetch()}>
            {problemText(zones.error)}
          </Failed>
        </Panel>
      )}
      {data?.zones.length === 0 && <NoZones linked={data.linked} />}
      {data && data.zones.length > 0 && <ZonesPanel zones={data.zones} />}
    </Page>
  );
}

function NotLinked() {
  return (
    <Banner tone="warn">
      <p>{messages.noCloudflare}</p>
    </Banner>
  );
}

function NoZones({ linked }: { linked: boolean }) {
  return (
    <Panel>
      <Empty
        title="No domains yet"
        action={
          !linked && (
            <ButtonLink to="/profile" hash="cloudflare" variant="primary">
              Link Cloudflare
            </ButtonLink>
          )
        }
      >
        {linked
          ? 'Your Cloudflare account has no domains. Add one at Cloudflare, then refresh this list.'
          : 'Here you see the domains of your Cloudflare account and edit their DNS records.'}
      </Empty>
    </Panel>
  );
}
