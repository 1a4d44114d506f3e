import { Exit, type SandboxCommand } from '../machine/call.ts';
import { readFlags } from '../machine/flags.ts';
import { report } from '../machine/report.ts';
import { detectedPorts } from '../machine/routes.ts';
import { configureSite } from '../machine/site.ts';

export const portsReport: SandboxCommand = {
  name: 'ports:report',
  run: (call) =>
    report(call, {
      heading: 'ports',
      prefix: 'ports',
      bothKeys: true,
      entries: (app) => {
        const detected = detectedPorts(call.state, app);
        return [
          { flag: '--ports-map', label: 'Ports map', value: app.ports.join(' ') },
          { flag: '--ports-map-detected', label: 'Ports map detected', value: detected.join(' ') },
          { flag: '--ports-map-detected-json', label: 'Ports map detected json', value: asJson(detected) },
          {
            flag: '--ports-map-json',
            label: 'Ports map json',
            value: app.ports.length > 0 ? asJson(app.ports) : 'null',
          },
        ];
      },
    }),
};

export const portsList: SandboxCommand = {
  name: 'ports:list',
  run: (call) => {
    const app = call.app(readFlags(call, {}).plain[0]);
    if (app.ports.length === 0) {
      call.warn('No port mappings configured for app');
      throw new Exit(1);
    }
    call.say(`Port mappings for ${app.name}`);
    call.out('    -----> scheme  host port  container port');
    for (const { scheme, host, container } of app.ports.map(parse)) {
      call.out(`    ${scheme.padEnd(15)}${String(host).padEnd(11)}${container}`);
    }
  },
};

/** Sets the mapping in the report only, because the front's one port serves every app. */
export const portsSet: SandboxCommand = {
  name: 'ports:set',
  run: async (call) => {
    const [name, ...words] = call.words;
    const app = call.app(name);
    const kept = words.filter((word) => /^https?:\d+:\d+$/.test(word));
    for (const word of kept.filter((each) => each.startsWith('https:'))) {
      if (app.certificate.expiresAtSeconds === null)
        call.warn(`Ignoring detected https port mapping without an accompanying ssl certificate (${word})`);
    }
    await configureSite(
      call,
      call.state.changeApp(app.name, (next) => {
        next.ports = kept;
      }),
    );
  },
};

export const portsClear: SandboxCommand = {
  name: 'ports:clear',
  run: async (call) => {
    const app = call.app(call.words[0]);
    await configureSite(
      call,
      call.state.changeApp(app.name, (next) => {
        next.ports = [];
      }),
    );
  },
};

function parse(word: string) {
  const [scheme = '', host = '0', container = '0'] = word.split(':');
  return { scheme, host: Number(host), container: Number(container) };
}

function asJson(words: readonly string[]): string {
  return JSON.stringify(
    words
      .map(parse)
      .map(({ scheme, host, container }) => ({ container_port: container, host_port: host, scheme })),
  );
}
