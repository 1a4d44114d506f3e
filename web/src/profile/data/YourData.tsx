import { routeUrl } from '../../data/route-url.ts';
import { DownloadLink } from '../../ui/button/ButtonLink.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';

/** The file with everything that the console keeps for the person. */
export function YourData() {
  const { url } = routeUrl('GET /api/profile/export');
  return (
    <Panel
      id="your-data"
      title="Your data"
      body="flush"
      actions={
        <DownloadLink icon="download" href={url}>
          Download everything
        </DownloadLink>
      }
    >
      <NothingYet>
        One JSON file with all that this console keeps for you. No password, token or other secret is in it,
        and no stats.
      </NothingYet>
    </Panel>
  );
}
