import type { SandboxCommand } from '../../machine/call.ts';

const keys = ['dockerfile-start-cmd', 'procfile-path', 'restart-policy', 'skip-deploy', 'start-cmd'];

/** Of a policy Dokku checks the name only, and of seconds nothing: a wrong value breaks the next deploy. */
export const psSet: SandboxCommand = {
  name: 'ps:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    const app = call.app(name);
    const known = call.knows('0.36.0') ? [...keys, 'stop-timeout-seconds'] : keys;
    if (!known.includes(key))
      call.fail(`Invalid property specified, valid properties include: ${known.join(', ')}`);
    if (key === 'restart-policy' && !/^(?:no|always|unless-stopped|on-failure(?::.*)?)$/.test(value))
      call.fail('Invalid restart-policy specified');
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
    call.state.changeApp(app.name, (next) => {
      if (key === 'restart-policy') next.restartPolicy = value;
      if (key === 'stop-timeout-seconds') next.stopSeconds = value;
    });
  },
};
