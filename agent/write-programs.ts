// Writes src/programs.ts from programs/*.sh: a bundle has no files beside it to read them from.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const target = new URL('./src/programs.ts', import.meta.url);

/** The module's text; the test compares it with what is checked in. */
export function programsModule(): string {
  const literal = (file: string) => {
    const text = readFileSync(new URL(`./programs/${file}`, import.meta.url), 'utf8');
    return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
  };
  return [
    '// Written by agent/write-programs.ts from agent/programs/; change those and run it again.',
    `export const agentProgram = ${literal('homeport-agent.sh')};`,
    `export const installProgram = ${literal('install.sh')};`,
    `export const uninstallProgram = ${literal('uninstall.sh')};`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, programsModule());
