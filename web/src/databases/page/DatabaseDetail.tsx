import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { Server } from '@homeport/contract/servers/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { openOperation } from '../../operations/open-operation.ts';
import { RecentWork } from '../../operations/RecentWork.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { ChartGroup } from '../../ui/chart/ChartGroup.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner, LinkButton } from '../../ui/feedback/Banner.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { SectionNav } from '../../ui/layout/SectionNav.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { DatabaseStatus } from '../DatabaseStatus.tsx';
import { useDatabaseStatuses } from '../use-database-statuses.ts';
import { BackupsPanel } from './backups/BackupsPanel.tsx';
import { ConnectPanel } from './connect/ConnectPanel.tsx';
import { DatabaseActions } from './DatabaseActions.tsx';
import styles from './DatabaseDetail.module.css';
import { DatabaseLogs } from './DatabaseLogs.tsx';
import type { DatabaseDialog } from './database-dialog.ts';
import type { DatabasePlace } from './database-place.ts';
import { FactsPanel } from './FactsPanel.tsx';
import { LinkedApps } from './LinkedApps.tsx';
import { ReadAge } from './ReadAge.tsx';
import { StatusBanner } from './StatusBanner.tsx';
import { SettingsPanel } from './settings/SettingsPanel.tsx';
import { useDatabaseActs } from './use-database-acts.ts';

const DatabaseUsage = lazy(async () => ({ default: (await import('./DatabaseUsage.tsx')).DatabaseUsage }));

const loadDialogs = () => import('./DatabaseDialogs.tsx');
const DatabaseDialogs = lazy(async () => ({ default: (await loadDialogs()).DatabaseDialogs }));

const sections = [
  { id: 'overview', label: 'Overview' },
  { id: 'resource-usage', label: 'Resource Usage' },
  { id: 'logs', label: 'Logs' },
  { id: 'backups', label: 'Backups', also: ['schedule', 'work'] },
  { id: 'settings', label: 'Settings' },
];

/** One database: how to reach it, its apps, its log while the page is open, and its settings. */
export function DatabaseDetail({ database, server }: { database: Database; server: Server }) {
  const status = useDatabaseStatuses()(database);
  const acts = useDatabaseActs(database, server);
  const [dialog, setDialog] = useState<DatabaseDialog | null>(null);
  const place = { database, server, status };
  return (
    <Page
      title={database.name}
      crumbs={<Link to="/databases">Databases</Link>}
      status={<DatabaseStatus status={status} boxed />}
      meta={<Facts place={place} />}
      actions={<DatabaseActions place={place} acts={acts} onPrepare={loadDialogs} onOpen={setDialog} />}
    >
      <div className={layout.banners}>
        <StatusBanner place={place} acts={acts} />
        {acts.underWay && <UnderWay title={acts.underWay.title} id={acts.underWay.id} />}
      </div>
      <SectionNav label="Sections" sections={sections} />
      <div className={classNames(layout.stack, layout.gap5)}>
        <div className={layout.twoColumns} id="overview">
          <ConnectPanel place={place} refusal={acts.refusal} onOpen={setDialog} />
          <div className={classNames(layout.stack, layout.gap5)}>
            <LinkedApps place={place} refusal={acts.refusal} onOpen={setDialog} />
            <FactsPanel place={place} />
          </div>
        </div>
        <div className={classNames(layout.twoColumns, styles.usageAndLogs)}>
          <div id="resource-usage" className={styles.usage}>
            <ChartGroup>
              <Suspense fallback={<Panel title="Resource Usage" busy />}>
                <DatabaseUsage place={place} />
              </Suspense>
            </ChartGroup>
          </div>
          <DatabaseLogs place={place} />
        </div>
        <BackupsPanel place={place} refusal={acts.refusal} onOpen={setDialog} />
        <RecentWork of={{ databaseId: database.id }} />
        <SettingsPanel place={place} refusal={acts.refusal} onPrepare={loadDialogs} onOpen={setDialog} />
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <DatabaseDialogs dialog={dialog} place={place} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Page>
  );
}

function UnderWay({ title, id }: { title: string; id: string }) {
  return (
    <Banner>
      <p>
        {title} goes on. <LinkButton onClick={() => openOperation(id)}>Show its progress</LinkButton>
      </p>
    </Banner>
  );
}

/** The database's type, its server, its apps, and when it was read. */
function Facts({ place }: { place: DatabasePlace }) {
  const { database, server } = place;
  const { type, links, createdAt } = database;
  return (
    <>
      <span>
        <Icon name="database" size={16} />
        {databaseTypeOf(type).title}
      </span>
      <span>
        <Icon name="server" size={16} />
        <Link className={typography.quietLink} to="/server/$key" params={{ key: server.key }}>
          {server.name}
        </Link>
      </span>
      <span>
        <Icon name="link" size={16} />
        {links.length === 1 ? '1 app linked' : `${links.length} apps linked`}
      </span>
      <span>
        <Icon name="clock" size={16} />
        <span>
          {database.imported ? 'Imported' : 'Created'} <Time at={createdAt} as="date" />
        </span>
      </span>
      <span>
        <ReadAge place={place} />
      </span>
    </>
  );
}
