import type { SandboxCommand } from '../../machine/call.ts';

const properties = 'deploy-source, deploy-source-metadata, disable-autocreation';

export const appsSet: SandboxCommand = {
  name: 'apps:set',
  run: (call) => {
    const [name, property = '', value = ''] = call.words;
    if (!properties.split(', ').includes(property)) {
      call.fail(`Invalid property specified, valid properties include: ${properties}`);
    }
    if (name !== '--global') call.app(name);
    else if (property === 'disable-autocreation') {
      call.state.change((settings) => {
        settings.autocreation = value !== 'true';
      });
    }
    call.title(value === '' ? `Unsetting ${property}` : `Setting ${property} to ${value}`);
  },
};
