import type { SandboxCommand } from '../machine/call.ts';
import { readText } from '../machine/files.ts';

export const events: SandboxCommand = {
  name: 'events',
  run: (call) => {
    const lines = (readText(call.state.paths.events) ?? '').split('\n').slice(0, -1);
    for (const line of lines.slice(-100)) call.out(line);
  },
};

/** The logged triggers. Dokku has about ninety; these are the ones that the sandbox has. */
export const eventsList: SandboxCommand = {
  name: 'events:list',
  run: (call) => {
    if (!call.state.settings().events) return call.warn('Events logger disabled');
    call.out('=====> Events currently logged');
    for (const trigger of ['post-create', 'post-delete', 'post-deploy']) call.out(trigger);
  },
};

export const eventsOn: SandboxCommand = {
  name: 'events:on',
  run: (call) => {
    call.state.change((settings) => {
      settings.events = true;
    });
    call.out('Enabling dokku events logger');
  },
};

export const eventsOff: SandboxCommand = {
  name: 'events:off',
  run: (call) => {
    call.state.change((settings) => {
      settings.events = false;
    });
    call.out('Disabling dokku events logger');
  },
};
