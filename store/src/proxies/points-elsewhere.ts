import { domainWarning } from '@homeport/contract/proxies/facts';

/** SQL: whether a person is warned that a served domain leads elsewhere, or is not proven any more. */
export const pointsElsewhere = (row: string): string =>
  `(${row}.allowed and ${row}.failures >= ${domainWarning.failures}
    and coalesce(${row}.checked_at - ${row}.failing_since >= ${domainWarning.afterMs}, false))`;
