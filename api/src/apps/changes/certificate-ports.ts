import { portMappingSchema } from '@homeport/contract/apps/settings-schema';
import { appName, ports } from '@homeport/dokku';
import { z } from 'zod';
import type { StepContext } from '../../operations/definition.ts';
import { type AppPorts, portsText, readPorts, samePorts } from '../state/read-ports.ts';

/** The part of a step that a certificate request needs. */
export type CertificateStep = Pick<StepContext<unknown>, 'run' | 'toast' | 'owner' | 'facts' | 'remember'>;

const portsBeforeSchema = z.object({ set: z.array(portMappingSchema), inForce: z.array(portMappingSchema) });

/**
 * The app’s ports before the certificate request. The letsencrypt plugin maps port 80 for the authority’s
 * question, and keeps the mapping when the authority refuses. A repeated step keeps the ports of its first
 * try, because that try may have changed them.
 */
export async function portsBeforeRequest(step: CertificateStep, longname: string): Promise<AppPorts> {
  const remembered = portsBeforeSchema.safeParse(step.facts.portsBefore);
  if (remembered.success) return remembered.data;
  const before = await readStepPorts(step, longname);
  await step.remember({ portsBefore: before });
  return before;
}

/**
 * Puts the app’s ports back after a failed request. Returns a sentence for the person if the plugin had
 * changed them; otherwise null.
 */
export async function putPortsBack(
  step: CertificateStep,
  longname: string,
  before: AppPorts,
): Promise<string | null> {
  const after = await readStepPorts(step, longname);
  await step.remember({ portsBefore: null });
  if (samePorts(after.set, before.set)) return null;
  const app = appName(longname);
  const back = await step.run(
    'apps',
    before.set.length === 0 ? ports.clear(app) : ports.set(app, before.set),
    { accept: 'any', deadlineMs: 180_000 },
  );
  const change = `The letsencrypt plugin had changed the app’s ports to ${portsText(after.inForce)}.`;
  return back.exitCode === 0
    ? `${change} They are ${portsText(before.inForce)} again.`
    : `${change} Homeport could not set them back to ${portsText(before.inForce)}: see Ports in Manage App.`;
}

/**
 * Says how the app’s ports changed with its certificate; null if they did not. The old address no longer
 * shows the app.
 */
export async function portsAfterCertificate(
  step: CertificateStep,
  longname: string,
  before: AppPorts,
): Promise<string | null> {
  const { inForce } = await readStepPorts(step, longname);
  await step.remember({ portsBefore: null });
  const gone = before.inForce.filter(
    ({ scheme, hostPort }) =>
      scheme === 'http' && !inForce.some((now) => now.scheme === scheme && now.hostPort === hostPort),
  );
  if (gone.length === 0) return null;
  return `The app now answers on ${portsText(inForce)}. It no longer answers on ${portsText(gone)}.`;
}

const readStepPorts = (step: CertificateStep, longname: string) =>
  readPorts((command, options) => step.run('apps', command, options), longname);
