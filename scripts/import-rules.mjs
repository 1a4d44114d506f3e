// The linter's import rules, one per room, made from scripts/rooms.mjs. `node scripts/import-rules.mjs` writes them into
// biome.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';
import { rooms } from './rooms.mjs';

/** The first entries of biome.json's `overrides`. Of two overrides for one file, Biome takes the later one. */
export function importRules() {
  return Object.entries(rooms).flatMap(([name, { mayImport, testsMayImport = [] }]) => {
    const rule = refuse([`${name}/**`], name, mayImport);
    if (testsMayImport.length === 0) return [rule];
    const tests = [`${name}/**/*.test.ts`, `${name}/**/testing/**`];
    return [rule, refuse(tests, name, [...mayImport, ...testsMayImport])];
  });
}

/**
 * @param {string[]} includes
 * @param {string} name
 * @param {readonly string[]} mayImport
 */
function refuse(includes, name, mayImport) {
  const others = Object.keys(rooms).filter((other) => other !== name);
  const refused = others.filter((other) => !mayImport.includes(other));
  const group = [
    ...refused.flatMap((other) => [`@homeport/${other}`, `@homeport/${other}/**`]),
    // A room is imported by its public name, never by a path into its folder.
    ...others.map((other) => `**/../${other}/**`),
  ];
  const allowed = mayImport.length === 0 ? 'no other room' : `only ${mayImport.join(', ')}`;
  const message = `${name}/ may import ${allowed} (ARCHITECTURE.md)`;
  const options = { patterns: [{ group, message }] };
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  };
}

/** @param {unknown} override */
const isImportRule = (override) => JSON.stringify(override).includes('"noRestrictedImports"');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, 'biome.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  const others = settings.overrides.filter((/** @type {unknown} */ each) => !isImportRule(each));
  settings.overrides = [...importRules(), ...others];
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}
