import { parseArgs } from 'node:util';
import { runServiceChecks, type ServiceChecks } from './check.ts';
import { cloudflareChecks } from './cloudflare-checks.ts';
import { githubChecks } from './github-checks.ts';

const usage = `npm run test:live -- [--cloudflare <zone>] [--github <owner/name>]

Tries the console's calls at the services themselves, in a throw-away zone and repository, and removes what it made. The credentials
come from the environment, because arguments are visible to every program of the machine:
  HOMEPORT_LIVE_CLOUDFLARE_TOKEN   an API token with Zone DNS Edit and Zone Zone Read for the zone
  HOMEPORT_LIVE_GITHUB_TOKEN       a token with the scopes repo and workflow
HOMEPORT_CLOUDFLARE_URL and HOMEPORT_GITHUB_URL name other addresses. Exit code 1: a check failed; 2: nothing was tried.
`;

/** Returns the exit code. */
export async function runLive(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const chosen = choose(argv, env);
  if (typeof chosen === 'string') {
    process.stderr.write(`${chosen}\n\n${usage}`);
    return 2;
  }
  const counts = { passed: 0, failed: 0 };
  for (const checks of chosen)
    await runServiceChecks(checks, ({ name, error }) => {
      counts[error ? 'failed' : 'passed'] += 1;
      process.stdout.write(
        error ? `FAIL  ${name}\n      ${error.message.replaceAll('\n', '\n      ')}\n` : `ok    ${name}\n`,
      );
    });
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed === 0 ? 0 : 1;
}

/** The checks, or what is missing. */
function choose(argv: string[], env: NodeJS.ProcessEnv): ServiceChecks[] | string {
  const { values } = parseArgs({
    args: argv,
    options: { cloudflare: { type: 'string' }, github: { type: 'string' } },
  });
  const chosen: ServiceChecks[] = [];
  if (values.cloudflare !== undefined) {
    const token = env.HOMEPORT_LIVE_CLOUDFLARE_TOKEN;
    if (!token) return 'HOMEPORT_LIVE_CLOUDFLARE_TOKEN is not set.';
    const baseUrl = env.HOMEPORT_CLOUDFLARE_URL ?? 'https://api.cloudflare.com/client/v4';
    chosen.push(cloudflareChecks({ baseUrl, token, zone: values.cloudflare }));
  }
  if (values.github !== undefined) {
    const token = env.HOMEPORT_LIVE_GITHUB_TOKEN;
    if (!token) return 'HOMEPORT_LIVE_GITHUB_TOKEN is not set.';
    if (!/^[^/]+\/[^/]+$/.test(values.github)) return 'Name the repository as owner/name.';
    const site = env.HOMEPORT_GITHUB_URL ?? 'https://github.com';
    chosen.push(githubChecks({ site, token, repository: values.github }));
  }
  return chosen;
}
