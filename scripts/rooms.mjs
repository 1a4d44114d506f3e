/**
 * @typedef {object} Room
 * @property {readonly string[]} mayImport
 * @property {readonly string[]} [testsMayImport] What its tests and `testing` folders may import beside that.
 */

/**
 * The rooms of the house, and which other rooms each may import. biome.json's import rules are made from this table
 * (`node scripts/import-rules.mjs`), and the build takes its list of sources from it. `import-rules.test.ts` holds
 * biome.json and ARCHITECTURE.md's table against it.
 *
 * @type {Readonly<Record<string, Room>>}
 */
export const rooms = {
  contract: { mayImport: [] },
  store: { mayImport: ['contract'] },
  dokku: { mayImport: ['contract'] },
  sandbox: { mayImport: ['contract', 'dokku'] },
  ssh: { mayImport: ['contract'] },
  api: { mayImport: ['contract', 'store', 'dokku', 'ssh', 'agent'], testsMayImport: ['sandbox'] },
  monitor: { mayImport: ['contract', 'store'] },
  proxy: { mayImport: ['contract', 'store'] },
  agent: { mayImport: [] },
  web: { mayImport: ['contract'] },
  homeport: {
    mayImport: ['contract', 'store', 'dokku', 'sandbox', 'ssh', 'api', 'monitor', 'proxy', 'agent'],
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
