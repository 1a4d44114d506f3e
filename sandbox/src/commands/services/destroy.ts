import { type Call, Exit } from '../../machine/call.ts';
import { forgetService } from '../../services/service.ts';
import { removeService } from './run-service.ts';
import { requireService, type ServiceVerb } from './words.ts';

/** Takes `--force` after the name, or before the command. */
export const destroy: ServiceVerb = async (call, kind) => {
  const [name, flag = ''] = call.typed;
  const service = requireService(call, kind, name);
  if (service.links.length > 0) call.fail('Cannot delete linked service');
  const isForced = ['force', '-f', '--force'].includes(flag) || call.isForcedBefore;
  if (!isForced) await confirm(call, service.name, kind.title);
  call.title(`Deleting ${service.name}`);
  await removeService(call, service);
  call.detail('Removing data');
  forgetService(call.state.paths, service);
  call.out(`=====> ${kind.title} container deleted: ${service.name}`);
};

async function confirm(call: Call, name: string, title: string): Promise<void> {
  call.warn('WARNING: Potentially Destructive Action');
  call.warn(`This command will destroy ${name} ${title} service.`);
  call.warn(`To proceed, type "${name}"`);
  call.out('');
  const answer = (await call.stdin()) ?? '';
  if (answer === '') throw new Exit(1);
  if (answer.trim() !== name) call.fail(`Confirmation did not match ${name}. Aborted.`);
}
