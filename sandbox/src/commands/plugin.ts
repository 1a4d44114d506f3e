import { Exit, type SandboxCommand } from '../machine/call.ts';
import { corePlugins } from '../machine/core-plugins.ts';
import { writeDockerfile } from '../services/dockerfile.ts';
import { knownPlugins } from '../services/known-plugins.ts';
import { publishUndecided } from './network-set.ts';
import { pluginsWithFiles } from './plugin-files.ts';

export const pluginList: SandboxCommand = {
  name: 'plugin:list',
  run: (call) => {
    const installed = [
      ...call.state.settings().plugins.map((plugin) => ({ ...plugin, enabled: true })),
      ...pluginsWithFiles(call.state.paths).map((plugin) => ({ ...plugin, url: '' })),
    ].map((plugin) => ({ ...plugin, core: false }));
    const present = corePlugins.filter(([name]) => name !== 'builds' || call.knows('0.38.0'));
    const core = present.map(([name, description]) => ({
      name,
      description,
      // Dokku ships its builds plugin with an older version number.
      version: name === 'builds' ? '0.34.0' : call.state.version(),
      url: '',
      enabled: true,
      core: true,
    }));
    const all = [...core, ...installed].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (call.words[0] === '--format' && call.words[1] === 'json') {
      const rows = all.map(({ name, version, enabled, core: isCore, description, url }) => ({
        name,
        version,
        enabled,
        core: isCore,
        description,
        source_url: url,
        committish: '',
        branch: '',
      }));
      return call.out(JSON.stringify(rows));
    }
    for (const plugin of all)
      call.out(
        `  ${plugin.name.padEnd(20)} ${plugin.version} ${plugin.enabled ? 'enabled ' : 'disabled'}   ${plugin.description}`,
      );
  },
};

export const pluginInstalled: SandboxCommand = {
  name: 'plugin:installed',
  run: (call) => {
    const names = [
      ...call.state.settings().plugins.map((plugin) => plugin.name),
      ...corePlugins.map(([name]) => name),
    ];
    if (!names.includes(call.words[0] ?? '')) throw new Exit(1);
  },
};

/** Knows the plugins of `known-plugins.ts` by their addresses, and downloads nothing. */
export const pluginInstall: SandboxCommand = {
  name: 'plugin:install',
  run: async (call) => {
    const [url = '', word] = call.words;
    if (!/^(https:|git:|ssh:|file:)/.test(url)) {
      call.warn('First argument must be --core or url to plugin');
      call.warn('Valid prefixes: https:, git:, ssh:, file:');
      call.warn('Valid suffixes: .tar.gz, .tgz');
      call.fail('Please retry with valid arguments');
    }
    const name = word ?? /[/:]dokku-([a-z-]+)\.git$/.exec(url)?.[1] ?? 'plugin';
    call.say(`Cloning plugin repo ${url} to /var/lib/dokku/plugins/available/${name}`);
    if (call.state.settings().plugins.some((plugin) => plugin.name === name)) {
      call.err(
        `Plugin '${name}' is already installed, but with a different url. To install anyway, uninstall it first.`,
      );
      throw new Exit(1);
    }
    call.err(`Cloning into '${name}'...`);
    await call.pause(10_000);
    const found = knownPlugins.find((plugin) => plugin.name === name && plugin.url === url);
    if (!found) {
      call.err(
        `fatal: unable to access '${url}/': Could not resolve host: ${URL.canParse(url) ? new URL(url).host : url}`,
      );
      throw new Exit(128);
    }
    call.state.change((settings) => void settings.plugins.push(found));
    writeDockerfile(call.state.paths, name, call.state.settings().realDatabases);
    publishUndecided(call);
    call.say(`Plugin ${name} enabled`);
    call.out('Adding user dokku to group adm');
    call.say('Priming bash-completion cache');
  },
};
