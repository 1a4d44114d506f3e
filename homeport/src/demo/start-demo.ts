import type { Monitor } from '@homeport/monitor';
import type { Store } from '@homeport/store';
import type { Logger } from 'pino';
import type { Config, Demo } from '../config/config.ts';
import type { Cleanup } from '../shutdown.ts';
import { type DemoHost, startDemoHost } from './demo-host.ts';
import { giveProxy, mergedDomain, startDemoSites } from './demo-sites.ts';
import { type FirstAccount, firstAccount } from './first-account.ts';
import { followKeys } from './follow-keys.ts';
import { linkSandbox, sandboxName } from './link-sandbox.ts';
import { endLocalAgent, runLocalAgent } from './local-agent.ts';
import { demoToken } from './stand-in-report.ts';
import { startFleet } from './start-fleet.ts';

type Parts = {
  demo: Demo;
  config: Config;
  store: Store;
  monitor: Monitor;
  log: Logger;
  cleanup: Cleanup;
  /** Shows a line to the person at the terminal. */
  announce: (text: string) => void;
};

/**
 * Starts the demo on a console that answers already. The parts that need an owner wait in the background for the first account.
 * Resolves with the text for the person at the terminal.
 */
export async function startDemo(parts: Parts): Promise<string> {
  const { demo, config, store, cleanup, log, announce } = parts;
  const host = demo.sandbox ? await startDemoHost(config.dataFolder) : undefined;
  if (host) cleanup.add('the demo’s host', () => host.close());
  const sites =
    demo.sandbox && config.services.has('proxy') ? await startDemoSites(config.dataFolder) : undefined;
  if (sites) cleanup.add('the demo’s websites', () => sites.close());
  const ending = new AbortController();
  const given = firstAccount(store, ending.signal)
    .then(async (account) => {
      if (!account) return;
      if (sites)
        announce(
          `Demo: both websites are merged for ${account.name} at ${await giveProxy(parts, sites, account)}`,
        );
      if (host) await giveSandbox(parts, host, account, ending.signal);
      if (demo.fleet > 0 && !ending.signal.aborted) await startFleet(parts, account, demo.fleet);
    })
    .catch((error: unknown) => {
      if (ending.signal.aborted) return;
      log.error({ err: error }, 'the demo could not be linked to the first account');
      announce(`Demo: ${error instanceof Error ? error.message : String(error)}`);
    });
  cleanup.add('the demo', async () => {
    ending.abort();
    await given;
  });
  const site = config.github?.site;
  const githubUrl = host && site !== undefined && new URL(site).hostname === '127.0.0.1' ? site : null;
  return told(demo, host, { hasSites: sites !== undefined, githubUrl });
}

async function giveSandbox(
  { config, store, log, cleanup, announce }: Parts,
  host: DemoHost,
  { id: owner, name }: FirstAccount,
  signal: AbortSignal,
): Promise<void> {
  const { serverId, agentToken } = await linkSandbox(store, owner, host);
  const onError = (error: unknown) => log.error({ err: error }, 'the demo could not follow a change');
  const unfollowKeys = await followKeys({ store, owner, serverId, host, onError });
  cleanup.add('the demo’s keys', unfollowKeys);
  if (signal.aborted) return;
  await runLocalAgent(host.sandbox, {
    url: config.publicUrl,
    token: agentToken,
    pings: config.pingTargets ?? {},
  });
  // Removing the server ends its agent too. The next start with --demo links the server again.
  const unfollowServer = await store.listener.on('changed', (change) => {
    if (change.topic !== 'servers' || change.id !== serverId) return;
    isLinked(store, serverId)
      .then((linked) => (linked ? undefined : endLocalAgent(host.sandbox)))
      .catch(onError);
  });
  cleanup.add('the demo’s server', () => void unfollowServer());
  announce(`Demo: ${sandboxName} is linked for ${name}.`);
}

async function isLinked({ db }: Pick<Store, 'db'>, serverId: string): Promise<boolean> {
  const row = await db.selectFrom('servers').select('id').where('id', '=', serverId).executeTakeFirst();
  return row !== undefined;
}

function told(
  { fleet }: Demo,
  host: DemoHost | undefined,
  { hasSites, githubUrl }: { hasSites: boolean; githubUrl: string | null },
): string {
  const lines: string[] = [];
  if (host) {
    const server = host.kind === 'sshd' ? 'its own sshd' : 'an SSH server within this process';
    lines.push(
      `Demo: a sandbox stands in for a Dokku server on 127.0.0.1:${host.sshPort} (${server}).`,
      'It isolates nothing: a pushed program runs as you, on this machine. The first account may log in there.',
      `The first account finds the sandbox under Servers as ${sandboxName}, with this machine's live figures.`,
    );
  }
  if (host) lines.push(`A stand-in for Cloudflare takes the token ${demoToken} on the page Profile.`);
  if (githubUrl !== null)
    lines.push(`A stand-in for GitHub answers at ${githubUrl}: link it on the page Profile.`);
  if (hasSites)
    lines.push(
      `Two small websites run too. The first account finds them merged under Proxies as ${mergedDomain}.`,
    );
  if (fleet > 0)
    lines.push(`Demo: the first account gets ${fleet} simulated servers; their reports are made up.`);
  return lines.join('\n');
}
