import type { ConsoleBackups, ConsoleFacts } from '@homeport/contract/console/schema';
import type { ReactNode } from 'react';
import { useApi } from '../data/use-api.ts';
import { NotLoaded } from '../page-frame/NotLoaded.tsx';
import { Button } from '../ui/button/Button.tsx';
import { useCopy } from '../ui/button/use-copy.ts';
import { classNames } from '../ui/class-names.ts';
import definitionsStyles from '../ui/layout/definitions.module.css';
import { Fact } from '../ui/layout/Fact.tsx';
import figureRow from '../ui/layout/figure-row.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import { bytesParts, formatBytes, formatWhen, noData } from '../ui/text/format.ts';
import { Time } from '../ui/text/Time.tsx';
import { useNow } from '../ui/text/use-now.ts';
import { versionsAsText } from './versions-as-text.ts';

/** Which Homeport, Node and PostgreSQL run, how large the data are, and what stands between them and their loss. */
export function Facts() {
  const facts = useApi('GET /api/console');
  const backups = useApi('GET /api/console/backups');
  const { state, copy } = useCopy();
  const { data } = facts;
  return (
    <Panel
      id="versions"
      title="Versions"
      body="flush"
      line={false}
      busy={facts.isPending}
      actions={
        data && (
          <Button size="sm" icon="copy" onClick={() => copy(versionsAsText(data))}>
            {state === 'copied' ? 'Copied' : state === 'failed' ? 'Copying failed' : 'Copy'}
          </Button>
        )
      }
    >
      <NotLoaded query={facts} title="The versions could not be loaded" rows={3} />
      {data && (
        <>
          <Figures facts={data} backups={backups.data} />
          <div className={panelStyles.body}>
            <FactsList facts={data} />
          </div>
        </>
      )}
    </Panel>
  );
}

/** What an owner looks at first. */
function Figures({ facts, backups }: { facts: ConsoleFacts; backups: ConsoleBackups | undefined }) {
  const { version, postgres, data, disk } = facts;
  return (
    <dl className={classNames(figureRow.figures, figureRow.inPanel)}>
      <Figure name="Version" note={<Since at={facts.startedAt} />}>
        {version}
      </Figure>
      <Figure name="PostgreSQL" note={whose(postgres)}>
        {postgres.version}
      </Figure>
      <Figure name="Data" note={`step ${data.schema} of the schema`}>
        <Bytes of={data.bytes} />
      </Figure>
      <Figure name="Disk free" note={disk && `of ${formatBytes(disk.bytes)}, where backups are`}>
        {disk && <Bytes of={disk.freeBytes} />}
      </Figure>
      <LastBackup backups={backups} />
    </dl>
  );
}

function whose({ embedded, programs }: ConsoleFacts['postgres']): string {
  if (!embedded) return 'your own';
  return programs === null ? 'of the console' : 'by HOMEPORT_POSTGRES';
}

function LastBackup({ backups }: { backups: ConsoleBackups | undefined }) {
  const now = useNow(60_000);
  const last = backups?.backups.find(({ state }) => state === 'done');
  if (!last)
    return (
      <Figure name="Last backup" note={backups && 'Nothing brings the data back.'}>
        {backups && 'None'}
      </Figure>
    );
  const { startedAt, bytes, encrypted } = last;
  return (
    <Figure name="Last backup" note={`${formatBytes(bytes)}, ${encrypted ? 'encrypted' : 'in clear'}`}>
      {formatWhen(startedAt, now)}
    </Figure>
  );
}

function Since({ at }: { at: number }) {
  const now = useNow(60_000);
  return `since ${formatWhen(at, now)}`;
}

function Bytes({ of }: { of: number }) {
  const { amount, unit } = bytesParts(of);
  return (
    <>
      {amount} <small>{unit}</small>
    </>
  );
}

interface FigureProps {
  name: string;
  note?: ReactNode;
  children: ReactNode;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={children ? undefined : figureRow.unknown}>{children ?? noData}</dd>
      {note && <dd className={figureRow.note}>{note}</dd>}
    </div>
  );
}

/** What a report of a fault names besides. */
function FactsList({ facts: { commit, node, postgres, data } }: { facts: ConsoleFacts }) {
  return (
    <dl className={definitionsStyles.grid}>
      <Fact name="Commit">{commit?.slice(0, 8)}</Fact>
      <Fact name="Node">{node}</Fact>
      <Fact name="PostgreSQL since">
        <Time at={postgres.startedAt} as="datetime" />
      </Fact>
      <Fact name="Schema since">
        <Time at={data.schemaAt} as="date" />
      </Fact>
      {postgres.programs !== null && <Fact name="Programs of PostgreSQL">{postgres.programs}</Fact>}
      {postgres.kept.map(({ folder, major, bytes, goesAt }) => (
        <Fact key={folder} name={`Kept from PostgreSQL ${major}`}>
          {bytes === null ? 'Size unknown,' : formatBytes(bytes)} in {folder}
          {goesAt === null ? (
            ', until you remove it'
          ) : (
            <>
              , until <Time at={goesAt} as="date" />
            </>
          )}
        </Fact>
      ))}
    </dl>
  );
}
