import type { ConsoleFacts } from '@homeport/contract/console/schema';
import { useApi } from '../data/use-api.ts';
import { NotLoaded } from '../page-frame/NotLoaded.tsx';
import { Button } from '../ui/button/Button.tsx';
import { useCopy } from '../ui/button/use-copy.ts';
import definitionsStyles from '../ui/layout/definitions.module.css';
import { Fact } from '../ui/layout/Fact.tsx';
import { Panel } from '../ui/layout/Panel.tsx';
import { formatBytes } from '../ui/text/format.ts';
import { Time } from '../ui/text/Time.tsx';
import { versionsAsText } from './versions-as-text.ts';

/** Which Homeport, Node and PostgreSQL run, and how large the data are. */
export function Facts() {
  const facts = useApi('GET /api/console');
  const { state, copy } = useCopy();
  const { data } = facts;
  return (
    <Panel
      id="versions"
      title="Versions"
      busy={facts.isPending}
      actions={
        data && (
          <Button size="sm" icon="copy" onClick={() => copy(versionsAsText(data))}>
            {state === 'copied' ? 'Copied' : state === 'failed' ? 'Copying failed' : 'Copy'}
          </Button>
        )
      }
    >
      <NotLoaded query={facts} title="The versions could not be loaded" rows={2} />
      {data && <FactsList facts={data} />}
    </Panel>
  );
}

function FactsList({ facts }: { facts: ConsoleFacts }) {
  const { version, commit, startedAt, node, postgres, data } = facts;
  return (
    <dl className={definitionsStyles.grid}>
      <Fact name="Version">
        {version}
        {commit !== null && ` (${commit.slice(0, 8)})`}
      </Fact>
      <Fact name="Since">
        <Time at={startedAt} as="datetime" />
      </Fact>
      <Fact name="Node">{node}</Fact>
      <Fact name="PostgreSQL">
        {postgres.version}, {postgres.embedded ? 'of the console' : 'your own'}
      </Fact>
      <Fact name="PostgreSQL since">
        <Time at={postgres.startedAt} as="datetime" />
      </Fact>
      <Fact name="Data">{formatBytes(data.bytes)}</Fact>
      <Fact name="Schema">
        step {data.schema}, <Time at={data.schemaAt} as="date" />
      </Fact>
    </dl>
  );
}
