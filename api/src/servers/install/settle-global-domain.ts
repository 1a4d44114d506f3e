import { hostnameCharacters } from '@homeport/contract/fields/facts';
import { globalDomainsNamed } from '@homeport/contract/servers/facts';
import { domainName, domains } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { recordServerFacts } from '../server-changes.ts';

/**
 * Sets the global domain of a server that has none. A domain that is set stays, because apps that people make by hand
 * get theirs beneath it; the record then names it, and the server's page asks. Apps of the console get their own domain
 * by name in either case. Returns a sentence with both domains when the server keeps another one.
 */
export async function settleGlobalDomain(
  db: Kysely<Database>,
  context: StepContext<unknown>,
  server: ServerRow,
  wanted: string,
): Promise<string | null> {
  const report = await context.run('root', domains.globalReport(), { accept: 'any', quiet: true });
  const found = report.exitCode === 0 ? domains.readGlobalReport(report) : null;
  const others =
    found === null || found.includes(wanted) ? [] : found.slice(0, globalDomainsNamed).map(shown);
  const answered = server.global_domains_kept && others.join() === server.global_domains?.join();
  await recordServerFacts(db, context.owner, server.id, {
    global_domains: others.length > 0 ? others : null,
    global_domains_kept: answered,
  });

  const both = `Apps made here get a domain under ${wanted} as well.`;
  if (others.length > 0) {
    const stays = `The server’s global domain stays ${others.join(', ')}. ${both}`;
    return answered ? stays : `${stays} The server’s page asks whether new apps should use that one only.`;
  }
  const setting = domains.setGlobal(domainName(wanted));
  if (found === null && hadDokku(context))
    return `The server’s global domain stays as it is, because it could not be read. ${both} To use it for all new apps, run: dokku ${setting.words.join(' ')}`;
  if (!found?.includes(wanted)) await context.run('root', setting);
  return null;
}

const hadDokku = ({ facts }: StepContext<unknown>) => facts.dokkuFound !== false;

const shown = (domain: string) => domain.slice(0, hostnameCharacters);
