import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import { classNames } from '../../../ui/class-names.ts';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { failureText, isReplaced, outcomeText, ownCheckText, unusedText } from './own-check-texts.ts';

interface OwnChecksProps {
  of: AppChecks['types'][number];
  checks: AppChecks;
}

/** The checks that app.json has for a type of process, in words. */
export function OwnChecks({ of, checks }: OwnChecksProps) {
  const { type, own, more } = of;
  const outcome = outcomeText(of, checks);
  if (own.length === 0 || isReplaced(of, checks))
    return outcome && <p className={typography.small}>{outcome}</p>;
  return (
    <div className={classNames(typography.small, layout.stack, layout.gap2)}>
      <ul className={classNames(layout.stack, layout.gap2)} aria-label={`Checks of ${type} in app.json`}>
        {own.map((check, at) => {
          const unused = unusedText(check);
          const failure = failureText(check);
          return (
            // Nothing of a row is kept.
            // biome-ignore lint/suspicious/noArrayIndexKey: two checks may be alike
            <li key={at} className={typography.longWords}>
              {check.name && <strong>{check.name}: </strong>}
              {unused && <em>{unused} </em>}
              {ownCheckText(check, type)}
              {failure && <strong> {failure}</strong>}
            </li>
          );
        })}
      </ul>
      {more > 0 && <p>And {more} more, which are not shown.</p>}
      {outcome && <p>{outcome}</p>}
    </div>
  );
}
