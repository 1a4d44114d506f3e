import { randomInt } from 'node:crypto';
import { quoteArgv } from '@homeport/contract/quoting';
import { environmentOf } from '../../deploy/deploy.ts';
import type { Call } from '../../machine/call.ts';
import { allContainers, type Container } from '../../machine/containers.ts';
import type { App } from '../../machine/state.ts';
import { withAddresses } from '../../services/addresses.ts';

/** What a one-off command runs in: the code and the variables of the app, and no limits of its processes. */
export function oneOffContainer(
  call: Call,
  app: App,
  words: readonly string[],
): Omit<Container, 'id' | 'port' | 'createdAt'> {
  // Bash's $RANDOM.
  const process = `run.${randomInt(1, 32_768)}`;
  return {
    ...{ app: app.name, process, words, command: quoteArgv(words) },
    folder: call.state.paths.code(app.name, app.code ?? ''),
    env: withAddresses(call.state.paths, environmentOf(call, app, process)),
    limits: { memory: 0, nanoCpus: 0 },
  };
}

export function oneOffContainersOf(call: Call, app: App): Container[] {
  return allContainers(call.state.paths).filter((each) => each.words !== undefined && each.app === app.name);
}
