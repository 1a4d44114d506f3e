import { routeUrl } from '../../data/route-url.ts';
import { DownloadLink } from '../../ui/button/ButtonLink.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';

/** The file with everything that the console keeps for the person. */
export function YourData() {
  const { url } = routeUrl('GET /api/profile/export');
  return (
    <Panel
      id="your-data"
      title="Your data"
      body="flush"
      footer="The file holds no password, token, private key or other secret. The stats of servers and apps are not in it."
    >
      <SettingsList>
        <Setting
          title="Export"
          note="One JSON file with everything that this console keeps for you: servers, apps, databases, domains, proxies, public keys, operations with their logs, news, sign-ins and security events."
          action={
            <DownloadLink icon="download" href={url}>
              Download everything
            </DownloadLink>
          }
        />
      </SettingsList>
    </Panel>
  );
}
