/**
 * @typedef {object} Room
 * @property {readonly string[]} mayImport
 * @property {readonly string[]} [testsMayImport] The rooms that only its tests and `testing` folders may import.
 */

/**
 * The rooms, and the other rooms that each may import. `node scripts/import-rules.mjs` makes biome.json's import rules from this
 * table, and the build takes its list of sources from it. `import-rules.test.ts` compares biome.json and ARCHITECTURE.md's table
 * with this one.
 *
 * @type {Readonly<Record<string, Room>>}
 */
export const rooms = {
  contract: { mayImport: [] },
  store: { mayImport: ['contract'] },
  rules: { mayImport: ['contract'] },
  signer: { mayImport: ['contract'] },
  egress: { mayImport: ['contract'] },
  dokku: { mayImport: ['contract'] },
  sandbox: { mayImport: ['contract', 'dokku'] },
  'stand-ins': { mayImport: [] },
  ssh: { mayImport: ['contract'] },
  api: {
    mayImport: ['contract', 'store', 'rules', 'egress', 'dokku', 'ssh', 'agent'],
    testsMayImport: ['sandbox', 'stand-ins'],
  },
  monitor: { mayImport: ['contract', 'store', 'egress'] },
  proxy: { mayImport: ['contract', 'store', 'rules', 'egress'] },
  agent: { mayImport: [] },
  web: { mayImport: ['contract', 'rules', 'signer'] },
  cli: { mayImport: ['contract', 'signer'], testsMayImport: ['api'] },
  homeport: {
    mayImport: [
      'contract',
      'store',
      'dokku',
      'sandbox',
      'stand-ins',
      'ssh',
      'api',
      'monitor',
      'proxy',
      'agent',
    ],
  },
};

/**
 * A room and every room that it may reach, directly or through another one.
 *
 * @param {string} name
 * @returns {string[]}
 */
export function reachedFrom(name) {
  const found = new Set([name]);
  for (const room of found) for (const next of rooms[room]?.mayImport ?? []) found.add(next);
  return [...found];
}
