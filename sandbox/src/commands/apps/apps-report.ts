import { existsSync } from 'node:fs';
import type { SandboxCommand } from '../../machine/call.ts';
import { report } from '../../machine/report.ts';

export const appsReport: SandboxCommand = {
  name: 'apps:report',
  run: (call) =>
    report(call, {
      heading: 'app',
      prefix: 'app',
      bothKeys: true,
      entries: (app) => [
        { flag: '--app-created-at', label: 'App created at', value: String(app.createdAtSeconds) },
        { flag: '--app-deploy-source', label: 'App deploy source', value: app.deploySource },
        {
          flag: '--app-deploy-source-metadata',
          label: 'App deploy source metadata',
          value: app.deploySourceMetadata,
        },
        { flag: '--app-dir', label: 'App dir', value: `/home/dokku/${app.name}` },
        {
          flag: '--app-global-disable-autocreation',
          label: 'App global disable autocreation',
          value: call.state.settings().autocreation ? '' : 'true',
        },
        {
          flag: '--app-locked',
          label: 'App locked',
          value: String(existsSync(call.state.paths.lock(app.name))),
        },
      ],
    }),
};
