import type { SandboxCommand } from '../../machine/call.ts';
import { allServiceKinds } from '../../services/kinds.ts';
import { connect } from './connect.ts';
import { create } from './create.ts';
import { destroy } from './destroy.ts';
import { exportData, importData } from './export.ts';
import { expose, unexpose } from './expose.ts';
import { info } from './info.ts';
import { link, linked, links, promote, unlink } from './link.ts';
import { appLinks, exists, list } from './list.ts';
import { logs } from './logs.ts';
import { pause, restart, start, stop } from './run-service.ts';
import type { ServiceVerb } from './words.ts';

const verbs: Readonly<Record<string, ServiceVerb>> = {
  'app-links': appLinks,
  connect,
  create,
  destroy,
  exists,
  export: exportData,
  expose,
  import: importData,
  info,
  link,
  linked,
  links,
  list,
  logs,
  pause,
  promote,
  restart,
  start,
  stop,
  unexpose,
  unlink,
};

/** The same commands for each of the six plugins. */
export const serviceCommands: readonly SandboxCommand[] = allServiceKinds.flatMap((kind) =>
  Object.entries(verbs).map(([verb, run]) => ({
    name: `${kind.type}:${verb}`,
    plugin: kind.type,
    run: (call) => run(call, kind),
  })),
);
