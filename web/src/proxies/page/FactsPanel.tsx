import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import { websiteText } from '../website-text.ts';

export function FactsPanel({ proxy: { domain, source, createdAt, rules } }: { proxy: ProxyRecord }) {
  const injecting = rules.filter(({ injection }) => injection !== '').length;
  return (
    <Panel>
      <dl className={definitionsStyles.grid}>
        <Fact name="Domain">{domain}</Fact>
        <Fact name="Source">
          <ExternalLink href={source}>{websiteText(source)}</ExternalLink>
        </Fact>
        <Fact name="Created">
          <Time at={createdAt} as="date" />
        </Fact>
        <Fact name="Rules">
          {formatCount(rules.length)}
          {injecting > 0 && (injecting === 1 ? ', one of them injects' : `, ${injecting} of them inject`)}
        </Fact>
      </dl>
    </Panel>
  );
}
