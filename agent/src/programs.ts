import { readFileSync } from 'node:fs';

/** The shell programs of `agent/programs/`. The console reads them when it starts, as it reads its migrations. */
export const agentProgram = read('homeport-agent.sh');
export const installProgram = read('install.sh');
export const uninstallProgram = read('uninstall.sh');

function read(file: string): string {
  return readFileSync(new URL(`../programs/${file}`, import.meta.url), 'utf8');
}
