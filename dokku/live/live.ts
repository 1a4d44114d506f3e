import { parseArgs } from 'node:util';
import { freshNames, runLive } from './run-checks.ts';
import { openSshHost } from './ssh-host.ts';

const usage = `npm run test:live -- --host <address> --key <file> [--port 22] [--user root] [--git-user dokku] [--known-hosts <file>]

Tries every Dokku command of the console on a real host, under names of its own, and removes what it made. The user is
root or one whose sudo asks for no password. Installs Homeport's own plugin from this source tree, checks the host with and
without it, and puts back the plugin that the host had; meanwhile the host makes no scheduled backups. A check that can
prove nothing there counts as skipped. Exit code 1: a check failed; 2: nothing was tried.
`;

const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    port: { type: 'string', default: '22' },
    key: { type: 'string' },
    user: { type: 'string', default: 'root' },
    'git-user': { type: 'string', default: 'dokku' },
    'known-hosts': { type: 'string' },
  },
});

const { host: address, key, port } = values;
if (address === undefined || address.startsWith('-') || key === undefined || !/^\d+$/.test(port)) {
  process.stderr.write(usage);
  process.exit(2);
}
const host = await openSshHost({
  host: address,
  port: Number(port),
  user: values.user,
  key,
  gitUser: values['git-user'],
  knownHosts: values['known-hosts'] ?? null,
}).catch((error: unknown) => stop(error));
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  await runLive(host, freshNames(), ({ name, error, skipped: reason }) => {
    if (error !== null) failed += 1;
    else if (reason !== null) skipped += 1;
    else passed += 1;
    const remark = error?.message ?? reason;
    const word = error !== null ? 'FAIL' : reason !== null ? 'skip' : 'ok';
    process.stdout.write(
      `${word.padEnd(5)} ${name}\n${remark === null ? '' : `      ${remark.replaceAll('\n', '\n      ')}\n`}`,
    );
  });
} catch (error) {
  await host.close();
  stop(error);
}
await host.close();
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;

function stop(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
