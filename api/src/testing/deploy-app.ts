import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import { bodyOf, type TestVisitor } from '../http/testing.ts';
import { gitProject } from './git-project.ts';
import type { TestLink } from './link-server.ts';
import { runToEnd, succeeded } from './page.ts';

/**
 * Installs Dokku on the linked server, creates the app `ledger` there and pushes the files as its first
 * deploy.
 */
export async function deployApp(
  person: TestVisitor,
  { server, pushKey }: TestLink,
  files: Record<string, string>,
): Promise<App> {
  succeeded(await runToEnd(person, `POST /api/servers/${server.id}/install`));
  const creation = { name: 'ledger', serverId: server.id, keyIds: [pushKey.id] };
  const { longname } = succeeded(await runToEnd(person, 'POST /api/apps', creation));
  const app = bodyOf<App[]>(await person.call('GET /api/apps'), 200).find(
    (each) => each.longname === longname,
  );
  if (!app) throw new Error(`No app is called ${longname}.`);
  const instructions = await person.call(`GET /api/apps/${app.id}/deploy-instructions`);
  await using project = await gitProject(files, pushKey.privateKeyPem);
  await project.push(bodyOf<DeployInstructions>(instructions, 200).remoteUrl);
  return app;
}
