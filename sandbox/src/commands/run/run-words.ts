import type { Call } from '../../machine/call.ts';
import type { App } from '../../machine/state.ts';

/** The words of `run` and `run:detached`: Dokku's options end at the app, and every word behind it belongs to the command. */
export function readRun(call: Call): { app: App; words: string[] } {
  const words = [...call.words];
  while (words[0]?.startsWith('-')) if (valued.has(words.shift() ?? '')) words.shift();
  // Dokku takes this option for its own wherever it stands, and puts the named app in front of all words.
  const at = call.words.indexOf('--app');
  const app = call.app(at < 0 ? words.shift() : call.words[at + 1]);
  if (app.code === null || app.deployedAtSeconds === null) {
    call.warn(`App image (dokku/${app.name}:latest) not found`);
    call.err('Error: No such image: ');
    call.warn("Invalid image stage detected: expected 'release', got ''");
    call.fail('Successfully deploy your app to fix dokku run calls');
  }
  const [program = '', ...rest] = words;
  const ofProcfile = app.processes[program];
  return { app, words: ofProcfile === undefined ? words : [...ofProcfile.split(' '), ...rest] };
}

const valued = new Set(['--ttl-seconds', '-e', '--env']);
