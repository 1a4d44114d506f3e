import { readFileSync } from 'node:fs';
import { Exit } from '../../machine/call.ts';
import { engineOf } from '../../services/engines/engine-of.ts';
import type { ServiceKind } from '../../services/kinds.ts';
import { heldDataOf } from '../../services/service.ts';
import { statusOf } from '../../services/service-containers.ts';
import { requireService, type ServiceVerb } from './words.ts';

/** The client of the type, which reads statements from stdin. Without a real server, only questions for numbers are answered. */
export const connect: ServiceVerb = async (call, kind) => {
  const service = requireService(call, kind, call.typed[0]);
  const { paths } = call.state;
  if (statusOf(paths, service) !== 'running') {
    call.err(`Error response from daemon: container dokku.${kind.type}.${service.name} is not running`);
    throw new Exit(1);
  }
  const real = engineOf(paths, service);
  if (real) {
    const exitCode = await real.engine.connect(real.place, call.start);
    if (exitCode !== 0) throw new Exit(exitCode);
    return;
  }
  const answer = answers[kind.type] ?? call.fail('The sandbox has no client for this type');
  const lines = readFileSync(heldDataOf(paths, kind, service.name), 'latin1').split('\n').length - 1;
  for (const line of answer((await call.stdin()) ?? '', lines)) call.out(line);
};

/** As if the file that stands for the data were one table, collection or set of keys, with an entry for each of its lines. */
const answers: Partial<Record<ServiceKind['type'], (question: string, entries: number) => string[]>> = {
  postgres: (_question, entries) => ['BEGIN', String(entries), 'COMMIT', 'counted'],
  mysql: (question, entries) =>
    question.startsWith('select count(*)')
      ? ['count(*)', String(entries)]
      : ['statement', 'select count(*) from `held`;', 'counted', 'counted'],
  mongo: (_question, entries) => [`counted 1 ${entries}`],
  redis: (_question, entries) => ['# Keyspace', `db0:keys=${entries},expires=0,avg_ttl=0`],
};
