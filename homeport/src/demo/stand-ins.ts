import type { ServiceParts } from '../services.ts';
import { startDemoCloudflare } from './demo-cloudflare.ts';
import { startDemoGithub } from './demo-github.ts';

/** The settings, which name the demo's stand-ins of services that nobody has set up. */
export async function withStandIns({
  config,
  secrets,
  cleanup,
}: Pick<ServiceParts, 'config' | 'secrets' | 'cleanup'>): Promise<Pick<ServiceParts, 'config' | 'secrets'>> {
  if (!config.demo?.sandbox) return { config, secrets };
  const cloudflare = config.cloudflareUrl === undefined ? await startDemoCloudflare() : undefined;
  if (cloudflare) cleanup.add('the demo’s Cloudflare', () => cloudflare.close());
  const github =
    config.github === undefined ? await startDemoGithub(config.port + demoGithubAbove) : undefined;
  if (github) cleanup.add('the demo’s GitHub', async () => await github[Symbol.asyncDispose]());
  return {
    config: {
      ...config,
      cloudflareUrl: cloudflare?.url ?? config.cloudflareUrl,
      github: github ? { clientId: github.app.clientId, site: github.url } : config.github,
    },
    secrets: github ? { ...secrets, githubClientSecret: github.app.clientSecret } : secrets,
  };
}

/** The port of the demo's GitHub, counted from the console's own. */
const demoGithubAbove = 20;
