import type { DnsRecord, Zone } from '@homeport/contract/domains/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { ZoneBadge } from '../ZoneBadge.tsx';
import { zoneRemark, zoneStatus, zoneType } from '../zone-texts.ts';
import { FormerBanner } from './FormerBanner.tsx';
import { RecordsPanel } from './RecordsPanel.tsx';

const loadDialog = () => import('../record/RecordDialog.tsx');
const RecordDialog = lazy(async () => ({ default: (await loadDialog()).RecordDialog }));

const sections = [
  { id: 'overview', label: 'Overview' },
  { id: 'dns-records', label: 'DNS Records' },
  { id: 'settings', label: 'Settings' },
];

/** One domain of the linked account: its facts and its DNS records. */
export function DomainDetail({ zone }: { zone: Zone }) {
  // Each reading costs requests of the person's at Cloudflare: when the page opens, after a change and by hand.
  const records = useQuery({
    ...apiQuery('GET /api/zones/:id/records', { params: { id: zone.id } }),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const [dialog, setDialog] = useState<{ record: DnsRecord | null } | null>(null);
  const remark = zoneRemark(zone);
  return (
    <Page
      title={zone.shownName}
      crumbs={<Link to="/domains">Domains</Link>}
      status={<ZoneBadge zone={zone} />}
      actions={
        zone.editable && (
          <Button
            variant="primary"
            icon="plus"
            onPointerEnter={() => void loadDialog()}
            onFocus={() => void loadDialog()}
            onClick={() => setDialog({ record: null })}
          >
            Add record
          </Button>
        )
      }
    >
      <div className={layout.banners}>
        {remark && (
          <Banner tone={zone.type === 'full' ? 'warn' : 'info'}>
            <p>{remark}</p>
          </Banner>
        )}
        {records.data && <FormerBanner zone={zone} records={records.data.records} />}
      </div>
      <SectionNav label="Sections" sections={sections} />
      <div className={classNames(layout.stack, layout.gap5)}>
        <Panel id="overview">
          <dl className={definitionsStyles.grid}>
            <Fact name="Created">
              <Time at={zone.createdAt} as="date" />
            </Fact>
            <Fact name="Status">{zoneStatus(zone)}</Fact>
            <Fact name="Type">{zoneType(zone)}</Fact>
            {zone.shownName !== zone.name && (
              <Fact name="In ASCII">
                <span className={typography.monospace}>{zone.name}</span>
              </Fact>
            )}
          </dl>
        </Panel>
        <RecordsPanel zone={zone} records={records} onEdit={(record) => setDialog({ record })} />
        <Panel id="settings" title="Settings" body="flush">
          <NothingYet>
            Nothing to set here yet. Change nameservers and billing at your DNS account.
          </NothingYet>
        </Panel>
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <RecordDialog
            zone={zone}
            record={dialog.record}
            records={records.data?.records ?? []}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </Page>
  );
}
