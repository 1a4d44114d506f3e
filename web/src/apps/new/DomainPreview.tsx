import { classNames } from '../../ui/class-names.ts';
import typography from '../../ui/text/typography.module.css';
import { suffix } from './default-domain.ts';

/** The domain of the new app. What the console draws by lot for the default one is muted. */
export function DomainPreview({ domain, own = false }: { domain: string; own?: boolean }) {
  if (own) return <span className={typography.monospace}>{domain}</span>;
  const at = domain.lastIndexOf(suffix);
  return (
    <span className={classNames(typography.monospace, typography.longWords)}>
      {domain.slice(0, at)}
      <span className={typography.subtle} title="Six random characters">
        {suffix}
      </span>
      {domain.slice(at + suffix.length)}
    </span>
  );
}
