import type { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';

/** What programs proposed and nobody has decided about. Nothing without one. */
export function ProposalsOfPrograms({
  proposals,
}: {
  proposals: ReturnType<typeof useApi<'GET /api/proposals'>>;
}) {
  if (proposals.data === undefined)
    return <NotLoaded query={proposals} title="What programs proposed could not be loaded" rows={1} />;
  const open = proposals.data.filter(({ state }) => state === 'open');
  if (open.length === 0) return null;
  return (
    <ul className={settingsListStyles.settings} aria-label="Proposals that wait for you">
      {open.map(({ id, title, appName, program, createdAt }) => (
        <li key={id}>
          <span className={typography.twoLines}>
            <span className={typography.strong}>
              {title}: {appName}
            </span>
            <small>
              Proposed by {program.name} <span className={typography.monospace}>…{program.lastFour}</span>,{' '}
              <Time at={createdAt} />
            </small>
          </span>
          <ButtonLink size="sm" to="/approve/$id" params={{ id }} aria-label={`Decide: ${title}, ${appName}`}>
            Decide
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
