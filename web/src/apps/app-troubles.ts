import type { AppState } from '@homeport/contract/apps/health';
import { isDeployed } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import { daysToCertificateEnd } from '@homeport/contract/notifications/kinds';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { formatWhen } from '../ui/text/format.ts';

export interface AppTrouble {
  kind: 'crashed' | 'missing' | 'offline' | 'deploy' | 'certificate';
  band: 'danger' | 'warning';
  /** For a chip beside the app: "Deploy failed". */
  label: string;
  detail: string;
}

type Troubled = Pick<App, 'serverName' | 'crash' | 'deployment'>;
type Checked = Pick<Uptime, 'online' | 'state' | 'since' | 'domain' | 'latest'>;

/** What is wrong with an app, gravest first. `checked`: the checks from outside, if somebody set them up. */
export function appTroubles(
  app: Troubled,
  state: AppState,
  checked: Checked | undefined,
  now: number,
): AppTrouble[] {
  const isPaused = state.kind === 'paused';
  const crashed = state.kind === 'crashed';
  if (state.kind === 'missing') return [missingOf(app, state.since, now)];
  return [
    ...(crashed ? [crashOf(app, now)] : []),
    // A crash says why nothing answers.
    ...(checked?.online === false && checked.state !== 'paused' && !crashed && !isPaused
      ? [offlineOf(checked, now)]
      : []),
    ...(app.deployment.status === 'failed' ? [failedDeployOf(app)] : []),
    ...certificateOf(checked, now),
  ];
}

function crashOf({ crash, serverName }: Troubled, now: number): AppTrouble {
  const [first] = crash?.processes ?? [];
  const how = !first
    ? ''
    : first.outOfMemory
      ? `: ${first.name} ran out of memory`
      : `: ${first.name} ended with exit code ${first.exitCode}`;
  const when = crash?.at ? `, ${formatWhen(crash.at, now)}` : '';
  return { kind: 'crashed', band: 'danger', label: 'Crashed', detail: `On ${serverName}${when}${how}` };
}

const missingOf = ({ serverName }: Troubled, since: number, now: number): AppTrouble => ({
  kind: 'missing',
  band: 'danger',
  label: 'Gone from its server',
  detail: `${serverName} has not had it since ${formatWhen(since, now)} or before`,
});

const offlineOf = ({ domain, since, latest }: Checked, now: number): AppTrouble => ({
  kind: 'offline',
  band: 'danger',
  label: 'Offline',
  detail: latest?.text ?? `${domain} has not answered since ${formatWhen(since, now)}`,
});

const failedDeployOf = (app: Troubled): AppTrouble => ({
  kind: 'deploy',
  band: 'warning',
  label: 'Deploy failed',
  detail:
    app.deployment.at !== null || isDeployed(app)
      ? `On ${app.serverName}. The version before it goes on`
      : `On ${app.serverName}. No version runs yet`,
});

function certificateOf(checked: Checked | undefined, now: number): AppTrouble[] {
  const certificate = checked?.latest?.certificate;
  if (!checked || !certificate) return [];
  const { domain } = checked;
  const trouble = { kind: 'certificate' as const, label: 'Certificate' };
  if (certificate.validTo <= now)
    return [
      {
        ...trouble,
        band: 'danger',
        detail: `It ended ${formatWhen(certificate.validTo, now)}, for ${domain}`,
      },
    ];
  const days = daysToCertificateEnd(certificate, now);
  if (days === null) return [];
  return [
    {
      ...trouble,
      band: 'warning',
      detail: `It ends within ${days === 1 ? '1 day' : `${days} days`}, for ${domain}, and was not renewed`,
    },
  ];
}
