import type { DatabaseEnding } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import { type Command, hostCommand, type Outcome } from '../command.ts';
import type { ServiceName } from '../names/service-name.ts';

/**
 * Asks Docker how the container of a service ended, which `<type>:info` does not tell. Dokku has no command for it, and Docker
 * answers root alone.
 */
export function inspectEnding(type: DatabaseTypeName, name: ServiceName): Command {
  return hostCommand(['docker', 'container', 'inspect', '--format', format, `dokku.${type}.${name}`], {
    needsRoot: true,
  });
}

const format = '{{json .State.ExitCode}} {{json .State.OOMKilled}}';

/** Null where Docker did not answer, or has no such container. */
export function readEnding({ exitCode, stdout }: Outcome): DatabaseEnding | null {
  const [code, outOfMemory] = exitCode === 0 ? stdout.slice(0, 100).trim().split(' ') : [];
  const read = endingSchema.safeParse({ exitCode: code, outOfMemory });
  return read.success ? read.data : null;
}

const endingSchema = z.object({
  exitCode: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number),
  outOfMemory: z.enum(['true', 'false']).transform((word) => word === 'true'),
});

/**
 * The state of a container that has ended. Docker starts the container of a service again after every end, up to a number of
 * failures, unless somebody stopped it. What is asked to end has ended well or by a signal.
 */
export function stateAfter(ended: DatabaseEnding | null): 'paused' | 'exited' | 'ended' {
  if (ended === null) return 'ended';
  return ended.outOfMemory || !asked.has(ended.exitCode) ? 'exited' : 'paused';
}

/** The codes of an end that was asked for: success, and 128 with SIGINT, SIGKILL or SIGTERM. */
const asked: ReadonlySet<number> = new Set([0, 130, 137, 143]);
