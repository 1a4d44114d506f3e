import typography from '../../ui/text/typography.module.css';
import { suffix } from './default-domain.ts';

/** The default domain. What the console draws by lot is muted. */
export function DomainPreview({ domain }: { domain: string }) {
  const at = domain.lastIndexOf(suffix);
  return (
    <span className={typography.monospace}>
      {domain.slice(0, at)}
      <span className={typography.subtle} title="Six random characters">
        {suffix}
      </span>
      {domain.slice(at + suffix.length)}
    </span>
  );
}
