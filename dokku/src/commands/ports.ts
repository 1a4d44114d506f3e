import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { linesOf, UnreadableOutputError } from '../output.ts';

export type PortMapping = {
  readonly scheme: 'http' | 'https';
  readonly hostPort: number;
  readonly containerPort: number;
};

/**
 * The mappings that were set. Costs the server a tenth of `ports:report`, which works out everything. The answer is text, because
 * the command has no other form. Ends with 1 where none was set; then those of `detected` hold.
 */
export function list(app: AppName): Command {
  return dokku('ports:list', app);
}

/** Empty where none was set. @throws UnreadableOutputError for another failure */
export function readList(outcome: Outcome): PortMapping[] {
  if (outcome.exitCode !== 0 && !hasNone(outcome))
    throw new UnreadableOutputError('ports:list', outcome.stderr);
  return linesOf(outcome.stdout).flatMap((line) => {
    const [before, scheme, hostPort, containerPort] = line.split(/ +/);
    return before === '' ? read(scheme, hostPort, containerPort) : [];
  });
}

/** Whether a command that ended with 1 says that no mapping was set. */
export function hasNone({ exitCode, stderr }: Outcome): boolean {
  return exitCode === 1 && stderr.includes('No port mappings configured for app');
}

/** The mappings that Dokku finds in the image (`EXPOSE`) or, without a build, takes by default. */
export function detected(app: AppName): Command {
  return dokku('ports:report', app, '--ports-map-detected');
}

export function readDetected(outcome: Outcome): PortMapping[] {
  return linesOf(outcome.stdout)
    .flatMap((line) => line.split(' '))
    .flatMap((word) => read(...word.split(':')));
}

/**
 * Replaces all mappings and reloads nginx; restarts nothing. Dokku ignores a malformed mapping and an https mapping without a
 * certificate, and ends with 0.
 */
export function set(app: AppName, mappings: readonly PortMapping[]): Command {
  return dokku('ports:set', app, ...mappings.map(textOf));
}

/** From here on the mappings of `detected` hold again. */
export function clear(app: AppName): Command {
  return dokku('ports:clear', app);
}

/** `http:80:5000`, as Dokku writes a mapping. */
export function textOf({ scheme, hostPort, containerPort }: PortMapping): string {
  return `${scheme}:${hostPort}:${containerPort}`;
}

function read(scheme?: string, hostPort?: string, containerPort?: string): PortMapping[] {
  if (scheme !== 'http' && scheme !== 'https') return [];
  const [host, container] = [Number(hostPort), Number(containerPort)];
  return isPort(host) && isPort(container) ? [{ scheme, hostPort: host, containerPort: container }] : [];
}

const isPort = (number: number) => Number.isInteger(number) && number > 0 && number < 65_536;
