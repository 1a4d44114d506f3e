import { addressKindOf } from '@homeport/contract/fields/server-address';
import type { Server, ServerTies } from '@homeport/contract/servers/schema';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const namesShown = 10;

/** What does not follow a server to another address, one paragraph for each thing, with what its person does. */
export function movingTexts(
  { ip, metal }: Pick<Server, 'ip' | 'metal'>,
  { globalDomain, apps, deployments, exposed, proxies }: ServerTies,
): string[] {
  const followsAddress =
    addressKindOf(ip) === 'name' ? globalDomain === ip : globalDomain.endsWith('.sslip.io');
  const texts: string[] = [];
  if (followsAddress && apps.length > 0)
    texts.push(
      `Domains under ${globalDomain}, of ${namesOf(apps)}, lead to the earlier address for good. Add other domains on the pages of these apps. Checks of the old ones find them down until you remove them.`,
    );
  if (deployments.length > 0)
    texts.push(
      `GitHub deploys to the earlier address: ${namesOf(deployments)}. Undo the continuous deployment and set it up again, on the page of each app.`,
    );
  if (exposed.length > 0)
    texts.push(
      `Programs elsewhere that connect to ${namesOf(exposed)} need the new connection string, from the page of each database.`,
    );
  if (proxies.length > 0)
    texts.push(
      `${namesOf(proxies)} ${proxies.length === 1 ? 'is a proxy that asks' : 'are proxies that ask'} a website at the earlier address or under ${globalDomain}. Change the primary website or the rules there.`,
    );
  if (!metal)
    texts.push(
      'Git remotes of your checkouts: take the new line from Deploy on the page of each app, with git remote set-url.',
    );
  return texts;
}

function namesOf(all: readonly { name: string }[]): string {
  const names = all.slice(0, namesShown).map(({ name }) => name);
  const others = all.length - names.length;
  return list.format(others > 0 ? [...names, `${others} more`] : names);
}
