import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import { websiteText } from '../website-text.ts';
import styles from './FactsPanel.module.css';
import { LiveChecks } from './LiveChecks.tsx';
import { isInOrder } from './standing-text.ts';

/** What the proxy is, and how its domain stands while there is nothing to warn of. */
export function FactsPanel({ proxy }: { proxy: ProxyRecord }) {
  const { domain, source, createdAt, rules, standing } = proxy;
  const injecting = rules.filter(({ injection }) => injection !== '').length;
  return (
    <Panel>
      <dl className={classNames(definitionsStyles.grid, isInOrder(standing) && styles.five)}>
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
        {isInOrder(standing) && (
          <Fact name="Served">
            <LiveChecks proxy={proxy} />
          </Fact>
        )}
      </dl>
    </Panel>
  );
}
