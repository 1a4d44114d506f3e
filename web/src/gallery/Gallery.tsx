import { messages } from '@homeport/contract/messages';
import { type ReactNode, useState } from 'react';
import { ThemeButton } from '../shell/theme/ThemeButton.tsx';
import { Button, ButtonGroup, IconButton } from '../ui/button/Button.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { Chart } from '../ui/chart/Chart.tsx';
import { ChartGroup, KeepInStep } from '../ui/chart/ChartGroup.tsx';
import chartStyles from '../ui/chart/chart.module.css';
import { Meter } from '../ui/chart/Meter.tsx';
import { Sparkline } from '../ui/chart/Sparkline.tsx';
import { classNames } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { OperationDialog } from '../ui/dialog/OperationDialog.tsx';
import { Steps } from '../ui/dialog/Steps.tsx';
import { SubmitButtons } from '../ui/dialog/SubmitButtons.tsx';
import { SubmitKeys } from '../ui/dialog/SubmitKeys.tsx';
import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { Progress } from '../ui/feedback/Progress.tsx';
import { Empty, Failed, NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import { Badge, Chip, Kbd, Quiet, Status } from '../ui/feedback/Status.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { WorkBadge, type WorkState } from '../ui/feedback/WorkBadge.tsx';
import { Checkbox, RadioCards, Switch } from '../ui/form/Choice.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { PasswordField, TextField } from '../ui/form/Field.tsx';
import { FilterField } from '../ui/form/FilterField.tsx';
import { PlanSlider } from '../ui/form/PlanSlider.tsx';
import { Segments } from '../ui/form/Segments.tsx';
import { Select } from '../ui/form/Select.tsx';
import { Textarea } from '../ui/form/Textarea.tsx';
import layout from '../ui/layout/layout.module.css';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Panel, PanelPart } from '../ui/layout/Panel.tsx';
import { SectionNav } from '../ui/layout/SectionNav.tsx';
import { Setting, SettingsList } from '../ui/layout/Setting.tsx';
import { Tabs } from '../ui/layout/Tabs.tsx';
import { LogView } from '../ui/log/LogView.tsx';
import { Menu } from '../ui/menu/Menu.tsx';
import { type Column, Table } from '../ui/table/Table.tsx';
import { formatPercent, formatRate } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import { Foundations } from './Foundations.tsx';
import styles from './Gallery.module.css';
import { Parts } from './Parts.tsx';
import { chartSamples, logSample, longLog, rows, type SampleRow, stepSample } from './samples.ts';

/** Every building block in all its states, in the current theme. Only development builds have this page. */
export function Gallery() {
  return (
    <main className={styles.page}>
      <PageHeader
        title="Components"
        sub="Every building block in its states, in the theme you are looking at."
        actions={<ThemeButton />}
      />
      <SectionNav
        label="Components"
        sections={[
          { id: 'foundations', label: 'Foundations' },
          { id: 'layout', label: 'Layout' },
          { id: 'controls', label: 'Controls' },
          { id: 'tables', label: 'Tables', count: 2 },
          { id: 'charts', label: 'Charts' },
          { id: 'layers', label: 'Layers' },
          { id: 'log', label: 'Log' },
          { id: 'parts-of-pages', label: 'Parts' },
        ]}
      />
      <div className={classNames(layout.stack, layout.gap5)}>
        <Foundations />
        <LayoutSamples />
        <Controls />
        <Tables />
        <Charts />
        <Layers />
        <Panel id="log" title="Log" body="flush">
          <div className={styles.log}>
            <LogView label="sample log" lines={logSample} live times />
          </div>
          <div className={styles.log}>
            <LogView label="long log" lines={longLog} dropped />
          </div>
        </Panel>
        <Parts />
      </div>
    </main>
  );
}

function Demo({ children }: { children: ReactNode }) {
  return <div className={classNames(layout.row, layout.wrap, layout.gap3)}>{children}</div>;
}

/** The documentation of how a page is laid out takes its pictures from these. */
function LayoutSamples() {
  return (
    <div className={classNames(layout.stack, layout.gap5)} id="layout">
      <Panel title="Databases" body="flush" actions={<Button size="sm">Link a database</Button>} id="slim">
        <NothingYet>This app reads no database that Homeport knows.</NothingYet>
      </Panel>
      <Panel title="Panel with parts" body="flush" id="parts">
        <PanelPart title="Deploy history" actions={<Button size="sm">Deploy a commit</Button>}>
          <NothingYet>Nothing is deployed yet.</NothingYet>
        </PanelPart>
        <PanelPart title="Incidents">
          <NothingYet>No incidents yet.</NothingYet>
        </PanelPart>
      </Panel>
      <Panel title="Settings" body="flush" id="settings-rows">
        <SettingsList>
          <Setting title="HTTPS" note="Valid until 21 Feb 2027." action={<Button size="sm">Renew</Button>} />
          <Setting
            title="Ports"
            note="80 and 443 lead to port 5000."
            action={<Button size="sm">Change</Button>}
          />
          <Setting
            tone="danger"
            title="Destroy app"
            note="Deletes the app and its variables."
            action={
              <Button size="sm" variant="danger-quiet" icon="trash">
                Destroy app
              </Button>
            }
          />
        </SettingsList>
      </Panel>
      <Panel title="State of work" id="work-badges">
        <Demo>
          {workStates.map((state) => (
            <WorkBadge key={state} state={state} />
          ))}
          <Quiet lamp="on">Connected</Quiet>
        </Demo>
      </Panel>
    </div>
  );
}

const workStates = [
  'never',
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'interrupted',
  'cancelled',
] as const satisfies readonly WorkState[];

function Controls() {
  return (
    <div className={layout.twoColumns} id="controls">
      <ButtonSamples />
      <StatusSamples />
      <FieldSamples />
      <ChoiceSamples />
      <PlanSample />
      <NoticeSamples />
    </div>
  );
}

function ButtonSamples() {
  return (
    <Panel title="Buttons">
      <div className={layout.stack}>
        <Demo>
          <Button variant="primary">Primary</Button>
          <Button>Default</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger-quiet">Destroy app</Button>
          <Button variant="danger">Destroy app</Button>
        </Demo>
        <Demo>
          <Button disabledReason="Add a credential to manage this server">Disabled</Button>
          <Button busy busyLabel="Restarting">
            Restart
          </Button>
        </Demo>
        <Demo>
          <Button size="lg">Large 44</Button>
          <Button>Medium 36</Button>
          <Button size="sm">Small 28</Button>
          <IconButton label="Copy" icon="copy" variant="default" />
          <IconButton label="Edit" icon="edit" />
        </Demo>
        <ButtonGroup label="App">
          <Button>Restart</Button>
          <Button>Rebuild</Button>
          <Button>Stop</Button>
        </ButtonGroup>
      </div>
    </Panel>
  );
}

function StatusSamples() {
  return (
    <Panel title="Status">
      <div className={layout.stack}>
        <Demo>
          <Status status="online" boxed />
          <Status status="offline" />
          <Status status="no-data" />
          <Status status="running" boxed />
          <Status status="paused" />
        </Demo>
        <Demo>
          <Status status="online" />
          <Status status="running" />
          <Badge tone="ok" icon="success">
            Authenticated
          </Badge>
          <Badge tone="bad" icon="danger">
            Authentication Failed
          </Badge>
          <Badge tone="info">Exposed</Badge>
        </Demo>
        <div className={layout.threeColumns}>
          <Meter label="RAM" percent={42} />
          <Meter label="Disk" percent={83} />
          <Meter label="Load" percent={94} />
          <Meter label="Storage" percent={1} valueText="4 kB of 15 GB" />
        </div>
        <Sparkline values={[3, 4, 3, 6, 9, 5, null, null, 4, 6, 7, 5]} />
        <CodeLine text="git remote add dokku dokku@203.0.113.24:ledger-api" what="command" />
        <CodeLine
          text="postgres://ledger:secret@dokku-postgres-ledger:5432/ledger"
          what="connection string"
          masked
        />
        <Demo>
          <Chip>Subdirectory</Chip>
          <Chip mono>CNAME</Chip>
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </Demo>
      </div>
    </Panel>
  );
}

function FieldSamples() {
  return (
    <Panel title="Fields">
      <div className={layout.stack}>
        <div className={controlsStyles.pair}>
          <TextField label="App name" placeholder="ledger-api" help="Letters, numbers and hyphens." />
          <TextField
            label="Subdomain"
            optional
            defaultValue="quay_2"
            suffix=".apps.example"
            error={messages.subdomainCharacters}
          />
          <TextField label="E-mail" readOnly value="ines@northquay.example" />
          <Select label="Type" options={[{ value: 'postgres', label: 'postgres' }]} />
          <PasswordField label="Password" autoComplete="off" defaultValue="correct-horse" />
          <TextField label="Public key" mono ok="Valid Ed25519 key" defaultValue="ssh-ed25519 AAAA" />
        </div>
        <Textarea label="Notes" optional mono defaultValue="Il1 O0 {}" />
        <Demo>
          <Switch label="Install Dokku" help="Needed to deploy apps." defaultChecked />
          <Checkbox label="ines-laptop" defaultChecked />
        </Demo>
      </div>
    </Panel>
  );
}

function ChoiceSamples() {
  const [segment, setSegment] = useState<'latest' | 'hourly'>('latest');
  const [kind, setKind] = useState<'a' | 'b' | 'c'>('a');
  const [words, setWords] = useState('');
  return (
    <Panel title="Choice">
      <div className={classNames(layout.stack, layout.gap5)}>
        <FilterField of="servers" by="name or IP" words={words} onChange={setWords} />
        <Segments
          legend="Horizon"
          value={segment}
          onChange={setSegment}
          options={[
            { value: 'latest', label: 'Latest' },
            { value: 'hourly', label: 'Hourly' },
          ]}
        />
        <RadioCards
          legend="Server"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'a', label: 'lantern', note: '2.1 GB free' },
            { value: 'b', label: 'breakwater', note: '3.4 GB free' },
            { value: 'c', label: 'fairway', disabledReason: 'Offline since 13:52' },
          ]}
        />
        <Tabs
          label="System"
          tabs={[
            {
              value: 'mac',
              label: 'Mac',
              content: <CodeLine text="ssh-keygen -t ed25519" what="command" />,
            },
            { value: 'linux', label: 'Linux', content: <p>The same on Linux.</p> },
          ]}
        />
      </div>
    </Panel>
  );
}

function PlanSample() {
  const [plan, setPlan] = useState(6);
  return (
    <Panel title="Plan slider">
      <PlanSlider value={plan} onChange={setPlan} current={3} />
    </Panel>
  );
}

function NoticeSamples() {
  return (
    <Panel title="Toasts and banners">
      <div className={classNames(layout.stack, layout.gap3)}>
        <Banner tone="warn">
          <p>
            No cloudflare access provided.{' '}
            <LinkButton onClick={() => toast.info('Opened')}>Link an account</LinkButton>
          </p>
        </Banner>
        <Banner tone="bad">
          <p>Stats could not be loaded. Showing the values from 13:52.</p>
        </Banner>
        <Banner>
          <p>We sent a verification e-mail to ines@northquay.example.</p>
        </Banner>
        <Demo>
          <Button onClick={() => toast.ok(messages.appRestarted)}>Success</Button>
          <Button onClick={() => toast.warn(messages.keyAlreadyAdded)}>Warning</Button>
          <Button
            onClick={() =>
              toast.bad(messages.bootstrapFailed, {
                detail: 'Exit code 100 after 2 min 14 s',
                action: { label: 'Show log', run: () => undefined },
              })
            }
          >
            Error
          </Button>
        </Demo>
        <Progress
          label={messages.installingDokku}
          percent={30}
          ticks={[
            { percent: 14, label: 'Monitoring' },
            { percent: 28, label: 'Dokku' },
            { percent: 100, label: 'Ready' },
          ]}
        />
        <Steps label="Steps" steps={stepSample} />
      </div>
    </Panel>
  );
}

const columns: readonly Column<SampleRow>[] = [
  {
    key: 'name',
    head: 'Server',
    sortBy: (row) => row.name,
    cell: (row) => (
      <span className={typography.twoLines}>
        <a className={typography.name} href="#tables">
          {row.name}
        </a>
        <small className={typography.monospace}>{row.ip}</small>
      </span>
    ),
  },
  { key: 'status', head: 'Status', card: 'right', cell: (row) => <Status status={row.status} /> },
  {
    key: 'ram',
    head: 'RAM',
    sortBy: (row) => row.ram,
    cell: (row) => <Meter label={`RAM of ${row.name}`} percent={row.ram} />,
  },
  { key: 'net', head: 'Network', align: 'end', card: 'low', cell: (row) => formatRate(row.rate) },
  {
    key: 'more',
    head: null,
    label: 'Actions',
    card: 'actions',
    cell: (row) => (
      <div className={layout.cellActions}>
        <Menu
          trigger={<IconButton label={`More for ${row.name}`} icon="more" />}
          items={[
            { label: 'Import apps', icon: 'import', onSelect: () => toast.info('Import') },
            { kind: 'separator' },
            { label: 'Remove', icon: 'trash', danger: true, onSelect: () => toast.info('Remove') },
          ]}
        />
      </div>
    ),
  },
];

function Tables() {
  return (
    <div className={classNames(layout.stack, layout.gap5)} id="tables">
      <Panel title="Table" body="flush" line={false}>
        <Table
          caption="Servers"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.name}
          onOpen={() => undefined}
          sort={{ key: 'name', direction: 'ascending' }}
        />
      </Panel>
      <div className={layout.threeColumns}>
        <Panel title="Empty" body="flush">
          <Empty title="No proxies yet" action={<Button icon="plus">Create a proxy</Button>}>
            A proxy joins several websites under one domain.
          </Empty>
        </Panel>
        <Panel title="Loading" body="flush">
          <SkeletonRows />
        </Panel>
        <Panel title="Failing">
          <Failed title="Records could not be loaded" onRetry={() => undefined}>
            Cloudflare answered with an error. Nothing was changed.
          </Failed>
        </Panel>
      </div>
    </div>
  );
}

function Charts() {
  return (
    <ChartGroup>
      <div className={classNames(layout.row, layout.spaceBetween)} id="charts">
        <span className={classNames(typography.small, typography.muted)}>
          Latest shows the last 20 points, 3 minutes apart.
        </span>
        <KeepInStep />
      </div>
      <div className={chartStyles.columns}>
        <Chart
          id="network"
          title="Network Usage"
          unit="per second"
          scale="bytes"
          format={formatRate}
          data={chartSamples.network}
        />
        <Chart
          id="cpu"
          title="CPU Load"
          unit="4 cores"
          scale="percent"
          format={formatPercent}
          data={chartSamples.cpu}
        />
        <Chart
          id="times"
          title="Request Times"
          stack
          format={(value) => `${Math.round(value)} ms`}
          data={chartSamples.times}
        />
        <Chart id="loading" title="Loading" format={formatPercent} data={{ state: 'loading' }} />
        <Chart id="empty" title="Empty" format={formatPercent} data={{ state: 'empty' }} />
        <Chart
          id="failed"
          title="Failed"
          format={formatPercent}
          data={{ state: 'failed', reason: 'Stats could not be loaded', onRetry: () => undefined }}
        />
      </div>
    </ChartGroup>
  );
}

function Layers() {
  const [open, setOpen] = useState<'none' | 'form' | 'typed' | 'work' | 'install'>('none');
  const close = () => setOpen('none');
  return (
    <Panel title="Layers" id="layers">
      <Demo>
        <Button onClick={() => setOpen('form')}>Dialog with a form</Button>
        <Button onClick={() => setOpen('typed')}>Typed confirmation</Button>
        <Button onClick={() => setOpen('work')}>Operation</Button>
        <Button onClick={() => setOpen('install')}>Install</Button>
      </Demo>
      <Dialog
        open={open === 'form'}
        onClose={close}
        dirty
        title="Add record"
        description="northquay.example"
        footer={
          <>
            <SubmitKeys />
            <SubmitButtons form="sample-form" onCancel={close}>
              Add record
            </SubmitButtons>
          </>
        }
      >
        <form
          id="sample-form"
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault();
            close();
          }}
        >
          <TextField label="Name" suffix=".northquay.example" />
          <Select
            label="Type"
            options={[
              { value: 'a', label: 'A' },
              { value: 'cname', label: 'CNAME' },
            ]}
          />
        </form>
      </Dialog>
      <ConfirmDialog
        open={open === 'typed'}
        onClose={close}
        title="Destroy ledger-api?"
        description="This deletes the app, its 2.1 GB of data and its 2 domains from lantern. It cannot be undone."
        action="Destroy app"
        busyLabel="Destroying"
        typed="destroy"
        onConfirm={async () => undefined}
      />
      <OperationDialog
        open={open === 'work'}
        onClose={close}
        onOk={close}
        locked={false}
        title="Creating ledger-api on lantern"
        description="This window stays until the app is ready. The work goes on if the connection drops."
        state="running"
        steps={stepSample}
        log={{ lines: logSample, dropped: false }}
        stream={{ kind: 'live' }}
        place="lantern"
        elapsedMs={31_000}
        okHint="OK opens the app once it is finished"
      />
      <OperationDialog
        open={open === 'install'}
        onClose={close}
        layout="install"
        title={messages.installing}
        description="mole-two, 198.51.100.140"
        state="running"
        progress={{
          percent: 30,
          label: messages.installingDokku,
          ticks: [
            { percent: 14, label: 'Monitoring' },
            { percent: 28, label: 'Dokku' },
            { percent: 60, label: 'Bootstrapped' },
            { percent: 100, label: 'Ready' },
          ],
        }}
        steps={stepSample.slice(0, 4)}
        log={{ lines: logSample, dropped: false }}
        stream={{ kind: 'live' }}
        place="mole-two"
        elapsedMs={null}
      />
    </Panel>
  );
}
