import {
  closeSync,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { type Call, Exit } from '../../machine/call.ts';
import { engineOf } from '../../services/engines/engine-of.ts';
import type { ServiceKind } from '../../services/kinds.ts';
import { heldDataOf, type Service } from '../../services/service.ts';
import { statusOf } from '../../services/service-containers.ts';
import { removeService } from './run-service.ts';
import { requireService, type ServiceVerb } from './words.ts';

/** Prints the dump of a real server, or the file that stands for the service's data. */
export const exportData: ServiceVerb = async (call, kind) => {
  const service = requireRunning(call, kind);
  const real = engineOf(call.state.paths, service);
  if (real && !existsSync(call.state.paths.fault('export')))
    return endWith(await real.engine.exportData(real.place, call.start));
  if (real) return breakOff(call);
  const held = heldDataOf(call.state.paths, kind, service.name);
  const fails = existsSync(call.state.paths.fault('export'));
  const half = String(Math.floor(statSync(held).size / 2) + 1);
  endWith(await call.start(fails ? ['head', '-c', half, '--', held] : ['cat', '--', held], {}));
  if (fails) breakOff(call);
};

function breakOff(call: Call): never {
  call.err('Error response from daemon: container is restarting');
  throw new Exit(1);
}

function endWith(exitCode: number): void {
  if (exitCode !== 0) throw new Exit(exitCode);
}

/** Restores stdin into a real server, or puts it in the place of that file. A client that sends half an input and leaves changes nothing here. */
export const importData: ServiceVerb = async (call, kind) => {
  const service = requireRunning(call, kind);
  const held = heldDataOf(call.state.paths, kind, service.name);
  if (kind.type === 'redis') {
    // As the plugin: the container and the snapshot are gone before the folder refuses the new one.
    await removeService(call, service);
    if (service.isReal) rmSync(held, { force: true });
    call.err(`/var/lib/dokku/plugins/enabled/redis/functions: line 189: ${held}: Permission denied`);
    throw new Exit(1);
  }
  const real = engineOf(call.state.paths, service);
  if (real) return endWith(await real.engine.importData(real.place, call.start));
  const partial = `${held}.${process.pid}`;
  await pipeline(process.stdin, createWriteStream(partial));
  if (kind.type === 'postgres') refuseWrongArchive(call, partial);
  renameSync(partial, held);
};

function requireRunning(call: Call, kind: ServiceKind): Service {
  const service = requireService(call, kind, call.typed[0]);
  if (databaseTypeOf(kind.type).dump.kind === 'none') call.fail('Not yet implemented');
  if (statusOf(call.state.paths, service) !== 'running' && kind.type !== 'redis') {
    call.err(`Error response from daemon: container dokku.${kind.type}.${service.name} is not running`);
    throw new Exit(1);
  }
  return service;
}

/** pg_restore reads the first five bytes before it touches the database. */
function refuseWrongArchive(call: Call, path: string): void {
  const head = Buffer.alloc(5);
  const file = openSync(path, 'r');
  const read = readSync(file, head, 0, 5, 0);
  closeSync(file);
  if (head.toString('latin1') === 'PGDMP') return;
  call.err(
    read === 0
      ? 'pg_restore: error: input file is too short (read 0, expected 5)'
      : 'pg_restore: error: input file does not appear to be a valid archive (too short?)',
  );
  throw new Exit(1);
}
