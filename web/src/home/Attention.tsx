import { Link } from '@tanstack/react-router';
import { useAppStates } from '../apps/use-app-states.ts';
import { useApi } from '../data/use-api.ts';
import { useDatabaseStatuses } from '../databases/use-database-statuses.ts';
import type { FleetLine } from '../servers/use-fleet.ts';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './Attention.module.css';
import {
  appAttention,
  attention,
  databaseAttention,
  inOrder,
  type Notice,
  proxyAttention,
  quietText,
} from './attention.ts';

const atMost = 6;

export interface AttentionProps {
  lines: readonly FleetLine[] | undefined;
  dumps: ReturnType<typeof useApi<'GET /monitor/dumps'>>;
  now: number;
}

const bandClass: Record<Notice['band'], string | undefined> = {
  warning: styles.warning,
  danger: styles.danger,
};

/** The problems of all servers, apps, databases and proxies, most urgent first. Without any server, says how to get one. */
export function Attention({ lines, dumps, now }: AttentionProps) {
  const apps = useApi('GET /api/apps').data;
  const checked = useApi('GET /monitor/uptime').data;
  const { stateOf } = useAppStates();
  const databases = useApi('GET /api/databases').data;
  const proxies = useApi('GET /api/proxies').data;
  const statusOf = useDatabaseStatuses();
  const notices = inOrder(
    attention(lines ?? [], now),
    appAttention(apps ?? [], stateOf, checked ?? [], now),
    databaseAttention(databases ?? [], statusOf),
    proxyAttention(proxies ?? [], now),
  );
  if (lines?.length === 0 && notices.length === 0) return <NoMachine />;
  const hidden = notices.slice(atMost);
  const hiddenDatabases = hidden.filter(({ about }) => 'database' in about).length;
  const hiddenProxies = hidden.filter(({ about }) => 'proxy' in about).length;
  const hiddenApps = hidden.filter(({ about }) => 'app' in about).length;
  const hiddenServers = hidden.length - hiddenApps - hiddenDatabases - hiddenProxies;
  return (
    <Panel title="Needs attention" body="flush" className={styles.attention} busy={!lines}>
      {!lines || dumps.isPending ? (
        <SkeletonRows />
      ) : dumps.isError && !dumps.data ? (
        <NothingYet>Not known: the stats could not be loaded.</NothingYet>
      ) : notices.length === 0 ? (
        <NothingYet>
          {quietText(
            lines.map(({ status }) => status),
            {
              apps: apps !== undefined && checked !== undefined,
              databases: databases !== undefined,
              proxies: proxies !== undefined,
            },
          )}
        </NothingYet>
      ) : (
        <ul>
          {notices.slice(0, atMost).map(({ id, about, band, title, detail }) => (
            <li key={id}>
              <Link {...pageOf(about)}>
                <Icon name={band === 'danger' ? 'danger' : 'warning'} size={18} className={bandClass[band]} />
                <span>
                  <b className={typography.strong}>{title}</b>
                  <br />
                  <span className={classNames(typography.extraSmall, typography.subtle)}>{detail}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hidden.length > 0 && (
        <p className={panelStyles.foot}>
          {hiddenServers > 0 && <Link to="/servers">{hiddenServers} more on the servers’ page</Link>}
          {hiddenApps > 0 && <Link to="/apps">{hiddenApps} more on the apps’ page</Link>}
          {hiddenDatabases > 0 && <Link to="/databases">{hiddenDatabases} more on the databases’ page</Link>}
          {hiddenProxies > 0 && <Link to="/proxies">{hiddenProxies} more on the proxies’ page</Link>}
        </p>
      )}
    </Panel>
  );
}

const sectionOf = {
  crashed: 'logs',
  missing: '',
  offline: 'request-times',
  deploy: 'deploy',
  certificate: 'request-times',
} as const;

function pageOf(about: Notice['about']) {
  if ('app' in about)
    return {
      to: '/app/$server/$longname',
      params: { server: about.serverKey, longname: about.app },
      hash: sectionOf[about.trouble],
    } as const;
  if ('database' in about)
    return {
      to: '/databases/$longname',
      params: { longname: about.database },
      search: { id: about.id },
    } as const;
  if ('proxy' in about) return { to: '/proxy/$id', params: { id: about.proxy } } as const;
  return { to: '/server/$key', params: { key: about.serverKey } } as const;
}

function NoMachine() {
  return (
    <Panel title="No machine at hand?" line={false}>
      <div className={classNames(layout.stack, layout.gap3)}>
        <p className={classNames(typography.small, typography.muted)}>
          Some cloud providers give new accounts free credits.
        </p>
        <div>
          <ButtonLink to="/promos" icon="credits">
            See the free credits
          </ButtonLink>
        </div>
      </div>
    </Panel>
  );
}
