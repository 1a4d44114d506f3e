const begin = /```ini\n\[Unit\]\n[^`]*```/;

/**
 * The operator guide with the unit of a checkout: the unit of the Debian package (`packaging/homeport.service`), which starts Node with
 * what `npm start` runs.
 *
 * @param start the script `start` of package.json
 */
export function withUnit(guide: string, unit: string, start: string): string {
  if (!begin.test(guide)) throw new Error('docs/operator-guide.md has lost the unit of systemd.');
  const [variables = '', program = ''] = start.split('exec node');
  const ofCheckout = unit.replace(
    'ExecStart=/usr/bin/homeport ',
    `WorkingDirectory=/opt/homeport\nEnvironment=${variables.trim()}\nExecStart=/usr/bin/node${program} `,
  );
  return guide.replace(begin, () => `\`\`\`ini\n${ofCheckout}\`\`\``);
}
