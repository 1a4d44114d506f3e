// `npm run bench [-- name…]`: runs benches one after another and writes their figures to docs/performance.md. A bench that does
// not run keeps its part of the page from its last run.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';

/** @typedef {{ what: string, value: string, budget?: string, kept?: boolean }} Figure */
/** @typedef {{ ok: boolean, figures: Figure[], text: string[] }} Result */

/** @type {readonly { name: string, title: string, about: string }[]} */
const benches = [
  {
    name: 'ssh',
    title: 'Actions over SSH',
    about:
      'On a warm connection to a real sshd on loopback, beside `ssh` with ControlMaster in the same run. A shell on the server measures a command’s own time by starting the command again and again.',
  },
  {
    name: 'creation',
    title: 'Creating an app',
    about:
      'From the request to the end of the operation on a warm connection to the Dokku sandbox, beside an `ssh` script that runs the same commands there in the same run.',
  },
  {
    name: 'app-page',
    title: 'A view of an app',
    about:
      'What the page of an app costs the app’s server: the starts of Dokku in the sandbox, each charged with the processor time that it takes a real server with two cores.',
  },
  {
    name: 'page',
    title: 'The page',
    about:
      'The JavaScript of a visit, as gzip. Times in Chromium on loopback with the processor slowed down four times and an empty cache. App, server, database, proxy and profile are those of the demo, with all their sections.',
  },
  {
    name: 'tabs',
    title: 'Many tabs',
    about:
      'One person with 30 tabs on a console of `npm start`; two tabs show the log of an app that writes. In Chromium and in Firefox, driven from outside. Memory is the PSS of the console’s process.',
  },
  {
    name: 'log',
    title: 'A long log',
    about:
      'The log view with 200,000 lines in Chromium, the processor not slowed down: the longest task of the page while a person goes through it.',
  },
  {
    name: 'idle',
    title: 'The console at rest',
    about:
      'PSS of Node and PostgreSQL one minute after the start, with one sign-in; and the time of `npm start` on an existing data folder.',
  },
  {
    name: 'ingest',
    title: 'Reports',
    about:
      'Reports of 4,000 servers. The monitor stores each report durably and rolls it up before the answer. Beside it a bare Node server that only parses the same bodies.',
  },
  {
    name: 'backup',
    title: 'Backups of the console',
    about:
      'A console with 300,000 rows of months is backed up again and again while agents report, and its last backup is restored.',
  },
  {
    name: 'uptime',
    title: 'Uptime checks',
    about:
      'Processor time of a monitor that checks 500 apps every 20 seconds and does nothing else: everything from the claim to the roll-ups, without the server that answers. Beside it Node’s own client, which sends the same requests in the same rhythm and neither judges nor stores the answers. Over https the handshake alone takes more than the budget.',
  },
  {
    name: 'status',
    title: 'Status pages',
    about:
      'Strangers read one published page of a console of `npm start` over 32 kept connections, each as soon as it has its answer. Who asks shares the processor with the console.',
  },
  {
    name: 'hostile',
    title: 'Under attack',
    about:
      'The effect on another person while one account and its servers run every known attack at once: texts against patterns, output without a line end, logs and sockets that nobody reads, hostile handshakes, queues and records up to every ceiling. The attacker, its servers and their commands run at the lowest priority, because they are other machines. They still share the processor with the console. The delay of the measuring process shows how much of an answer’s time belongs to the machine. Then, on another console, two accounts, their visitors and their website attack the proxy service: patterns with many states, rules full of HTML, WebSockets that stay and WebSockets that are left, downloads and streams that nobody reads, examinations of large pages, purges of a domain that is somebody else’s. The website of another account and the page of another person are asked meanwhile. The attackers’ website keeps its sides open until the descriptors were counted.',
  },
  {
    name: 'shares',
    title: 'What one account’s rules cost the others',
    about:
      'A console of `npm start` with an account that has as many proxies and as many bytes of rules as it may. The patterns are repetitions in repetitions and the like, each with the longest path that it takes and a fresh program. The proxy service is held by a fault that keeps its loop busy, and killed with `kill -9`.',
  },
  {
    name: 'dumps',
    title: 'Dumps of databases',
    about:
      'A dump, 2 GiB unless `HOMEPORT_BENCH_DUMP_MIB` says otherwise, from and to a sandbox behind a real sshd on loopback, in turn with OpenSSH’s own client there, and with a bare pipe: a program that only joins HTTP and ssh2, with as much room in its buffers. The console takes the checksum of an upload, and the server compares what it sends. Each upload is on the server’s disk when it ends: `ssh cat` has `sync` behind it, and the server writes an upload of the console past its page cache. Person, console and server share the processors, so what each of them computes slows the others down: the processor time of each is measured for a GiB. `ssh cat` takes ChaCha20, which OpenSSH prefers; the console takes AES-GCM.',
  },
  {
    name: 'proxy',
    title: 'The proxy service',
    about:
      'The built program of `--only proxy` beside Debian’s nginx, Caddy, Varnish and HAProxy, each alone on one core. The website (nginx, from files) and who asks (h2load) share the other core. A request’s cost is the processor time of the whole program. Others on the machine only add to it, so the round that took least counts, of five in turn. By a profile, the two writes of a request take a third of its time; the rest is spread over Node’s HTTP server and the plane. At 1,000 requests a second h2load asks in bursts of 50, so that the 99th percentile is the time of a whole burst. A changed rule waits for turns of a loop that 64 visitors keep full: for the store’s word, which brings the rules, and for the visitor’s own answer. One process and two are measured on both cores: the website and who asks have one of these too, so two answer fewer than twice as many requests here.',
  },
  {
    name: 'series',
    title: 'Lists and series',
    about: 'A list of servers and a server’s page, with a year of reports, for 10 and for 1,000 servers.',
  },
];

const page = join(root, 'docs/performance.md');
const deadlineMs = 20 * 60_000;

const chosen = chooseBenches(process.argv.slice(2));
ensureInstalled();
ensureSystemPackages();
const parts = readParts();
let broken = 0;
for (const bench of chosen) {
  console.log(`\n── ${bench.name}`);
  const [load = 0] = loadavg();
  const result = await run(bench.name);
  if (result.ok) parts.set(bench.name, describe(bench, result, load));
  else broken += 1;
}
writeFileSync(page, document());
console.log(
  `\nWritten: docs/performance.md${broken > 0 ? `; ${broken} failed and kept their last figures` : ''}`,
);
process.exitCode = broken > 0 ? 1 : 0;

/** @param {string[]} names */
function chooseBenches(names) {
  const there = benches.filter(({ name }) => existsSync(programOf(name)));
  const unknown = names.find((name) => !there.some((bench) => bench.name === name));
  if (unknown !== undefined) {
    console.error(
      `There is no bench "${unknown}". The benches are: ${there.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  return names.length === 0 ? there : there.filter(({ name }) => names.includes(name));
}

/** @param {string} name */
function programOf(name) {
  return join(root, 'bench', name, 'run.ts');
}

/**
 * Runs a bench. Prints its lines as they come, and collects the lines that hold a figure.
 *
 * @param {string} name
 * @returns {Promise<Result>}
 */
function run(name) {
  const child = spawn(process.execPath, ['--import', 'tsx', programOf(name)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deadlineMs,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const lines = output.split('\n').filter((line) => line !== '');
      const isFigure = (/** @type {string} */ line) => line.startsWith('{"figure":');
      resolve({
        ok: code === 0,
        figures: lines.filter(isFigure).map((line) => JSON.parse(line).figure),
        text: lines.filter((line) => !isFigure(line)),
      });
    });
  });
}

/**
 * @param {{ name: string, title: string, about: string }} bench
 * @param {Result} result
 * @param {number} load the machine's load before the bench (getloadavg(3))
 */
function describe({ name, title, about }, { figures, text }, load) {
  const rows = figures.map(
    ({ what, value, budget = '', kept }) =>
      `| ${what} | ${value} | ${budget} | ${kept === undefined ? '' : kept ? 'kept' : '**not kept**'} |`,
  );
  return [
    `## ${title}`,
    '',
    about,
    '',
    `\`npm run bench -- ${name}\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, load ${load.toFixed(1)} before.`,
    ...(rows.length > 0
      ? ['', '| Figure | Measured | Budget | |', '| --- | --- | --- | --- |', ...rows]
      : []),
    ...(text.length > 0 ? ['', '```text', ...text, '```'] : []),
  ].join('\n');
}

function machine() {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'processor'}, ${gib} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** The parts of the page from earlier runs, by the bench's name. */
function readParts() {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const part of text.split(/^(?=## )/m).slice(1)) {
    const bench = benches.find(({ title }) => part.startsWith(`## ${title}\n`));
    // What no bench makes, such as the times of the tests, stays at the end.
    found.set(bench?.name ?? part, part.trimEnd());
  }
  return found;
}

function document() {
  return `${[
    '# Performance',
    '<!-- Made by `npm run bench`. -->',
    'Budgets and the last measured figures. No test asserts a time. The figures are for comparison, and a busy machine makes them worse; each part names the load.',
    ...benches.flatMap(({ name }) => parts.get(name) ?? []),
    ...[...parts].filter(([name]) => name.startsWith('## ')).map(([, part]) => part),
  ].join('\n\n')}\n`;
}
