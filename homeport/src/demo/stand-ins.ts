import type { ServiceParts } from '../services.ts';
import { openDemoFolder } from './demo-folder.ts';
import { demoGithubToken, demoToken, type StandInName } from './stand-in-report.ts';
import { startStandIn } from './start-stand-in.ts';

type StandInParts = Pick<ServiceParts, 'config' | 'secrets' | 'log' | 'cleanup'>;

/** The port of the demo's GitHub, counted from the console's own. */
const demoGithubAbove = 20;

/** The settings, which name the demo's stand-ins of services that nobody has set up. */
export async function withStandIns({
  config,
  secrets,
  log,
  cleanup,
}: StandInParts): Promise<Pick<ServiceParts, 'config' | 'secrets'>> {
  if (!config.demo?.sandbox) return { config, secrets };
  const start = async (name: StandInName, port: number) => {
    const standIn = await startStandIn(name, port, (error) => log.error({ err: error }, 'the demo goes on'));
    cleanup.add(`the demo’s stand-in ${name}`, () => standIn.close());
    return standIn;
  };
  const [cloudflare, github] = await Promise.all([
    config.cloudflareUrl === undefined ? start('cloudflare', 0) : undefined,
    config.github.clientId === undefined ? start('github', config.port + demoGithubAbove) : undefined,
  ]);
  const app = github?.app ?? null;
  const offer = {
    cloudflareToken: cloudflare ? demoToken : null,
    githubToken: github ? demoGithubToken : null,
    webPort: (await openDemoFolder(config.dataFolder)).frontPort,
  };
  return {
    config: {
      ...config,
      demo: { ...config.demo, offer },
      cloudflareUrl: cloudflare?.url ?? config.cloudflareUrl,
      github: github && app ? { clientId: app.clientId, site: github.url } : config.github,
    },
    secrets: app ? { ...secrets, githubClientSecret: app.clientSecret } : secrets,
  };
}
