import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonExternalLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { ProxyStatus } from '../ProxyStatus.tsx';
import type { ProxyDialog } from '../proxy-dialog.ts';
import { RulesPanel } from '../rule-list/RulesPanel.tsx';
import { DoctorPanel, isMounted } from './DoctorPanel.tsx';
import { FactsPanel } from './FactsPanel.tsx';
import { NotificationsPanel } from './NotificationsPanel.tsx';
import { StandingPanel } from './StandingPanel.tsx';
import { SettingsPanel } from './settings/SettingsPanel.tsx';
import { UsePanel } from './UsePanel.tsx';

const loadDialogs = () => import('./ProxyDialogs.tsx');
const ProxyDialogs = lazy(async () => ({ default: (await loadDialogs()).ProxyDialogs }));

/** In the order of the page. What loads late stands below the rules, so that it moves nothing that is being clicked. */
const sectionsOf = ({ rules }: ProxyRecord) => [
  { id: 'overview', label: 'Overview' },
  { id: 'proxy-rules', label: 'Proxy Rules' },
  ...(rules.some(isMounted) ? [{ id: 'merge-doctor', label: 'Merge doctor' }] : []),
  { id: 'requests', label: 'Requests' },
  { id: 'notifications', label: 'Notifications' },
  { id: 'settings', label: 'Settings' },
];

/** One proxy: whether its domain is served, which rule takes a URL, and its settings. */
export function ProxyDetail({ proxy }: { proxy: ProxyRecord }) {
  const { name, domain, standing, rules, createdAt } = proxy;
  const [dialog, setDialog] = useState<ProxyDialog | null>(null);
  const [url, setUrl] = useState('');
  return (
    <Page
      title={name}
      crumbs={<Link to="/proxies">Proxies</Link>}
      status={<ProxyStatus state={standing.state} boxed />}
      meta={
        <>
          <span>
            <Icon name="proxy" size={16} />
            {rules.length === 1 ? '1 rule over one domain' : `${rules.length} rules over one domain`}
          </span>
          <span>
            <Icon name="domain" size={16} />
            {domain}
          </span>
          <span>
            <Icon name="clock" size={16} />
            <span>
              Created <Time at={createdAt} as="date" />
            </span>
          </span>
        </>
      }
      actions={
        <>
          <Button icon="broom" onPointerEnter={loadDialogs} onClick={() => setDialog({ kind: 'purge' })}>
            Purge cache
          </Button>
          <ButtonExternalLink variant="primary" icon="external" href={proxy.url}>
            Open site
          </ButtonExternalLink>
        </>
      }
    >
      <SectionNav label="Sections" sections={sectionsOf(proxy)} />
      <div className={classNames(layout.stack, layout.gap5)}>
        <div className={classNames(layout.stack, layout.gap5)} id="overview">
          <StandingPanel proxy={proxy} />
          <FactsPanel proxy={proxy} />
        </div>
        <RulesPanel proxy={proxy} url={url} onUrl={setUrl} onPrepare={loadDialogs} onOpen={setDialog} />
        <DoctorPanel proxy={proxy} />
        <UsePanel proxy={proxy} />
        <NotificationsPanel proxy={proxy} />
        <SettingsPanel proxy={proxy} onPrepare={loadDialogs} onOpen={setDialog} />
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <ProxyDialogs dialog={dialog} proxy={proxy} url={url} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Page>
  );
}
