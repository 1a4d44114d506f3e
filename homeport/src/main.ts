import { createLog } from '@homeport/api/log';
import { type ArchiveCommand, type Command, type OwnerCommand, readArguments } from './config/arguments.ts';
import { decideConfig } from './config/config.ts';
import { helpText } from './config/document.ts';
import { readEnvironment } from './config/environment.ts';
import { versionsAsJson } from './print-version.ts';
import { createCleanup, exitOfStart, refusedStartExit, stopWithinMs } from './shutdown.ts';
import { startConsole } from './start-console.ts';
import { inPlainWords } from './start-error.ts';
import { command, version } from './version.ts';
import { watchParent } from './watch-parent.ts';

/** The program: reads the command line, starts, runs until a signal or a failure ends it. */
export async function main(argv: string[]): Promise<void> {
  const cleanup = createCleanup(stopWithinMs, (what, error) => {
    console.error(`Ending ${what} failed: ${error instanceof Error ? error.message : String(error)}`);
  });

  async function stop(exitCode: number): Promise<void> {
    const clean = await cleanup.run();
    process.exit(clean ? exitCode : exitCode || 1);
  }
  let handOver = () => {};
  async function fail(error: unknown): Promise<void> {
    console.error(inPlainWords(error));
    // Visitors of proxied domains do not notice what ends the console.
    handOver();
    await stop(1);
  }
  /** Of a start. A console that runs may find its program upgraded when a supervisor starts it again. */
  async function refuse(error: unknown): Promise<void> {
    const exitCode = exitOfStart(error);
    if (exitCode !== refusedStartExit) return fail(error);
    console.error(inPlainWords(error));
    await stop(exitCode);
  }
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);

  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1;
      // A third signal means that the person does not want to wait. The next start cleans up.
      if (signals > 2) process.exit(1);
      if (signals === 1) void stop(0);
    });
  }

  watchParent(process.env, () => void stop(0));

  try {
    const asked = readArguments(argv, process.env);
    if (asked.kind === 'start') await start(asked);
    else if (asked.kind === 'help') console.log(helpText(command).trimEnd());
    else if (asked.kind === 'version') console.log(asked.json ? await versionsAsJson() : version);
    else await runCommand(asked);
  } catch (error) {
    await refuse(error);
  }

  async function runCommand(asked: ArchiveCommand | OwnerCommand): Promise<void> {
    if (asked.kind === 'owner-reset-link') {
      const { printOwnerLink } = await import('./owner/reset-link.ts');
      await printOwnerLink(asked, cleanup, console.log);
    } else {
      const { runArchiveCommand } = await import('./archive/run-command.ts');
      // Standard output may be the backup.
      await runArchiveCommand(asked, cleanup, asked.file === '-' ? console.error : console.log);
    }
    await stop(0);
  }

  async function start({ env }: Extract<Command, { kind: 'start' }>): Promise<void> {
    const environment = readEnvironment(env);
    const config = decideConfig(environment, {
      uid: process.getuid?.(),
      xdgDataHome: process.env.XDG_DATA_HOME,
    });
    // Logs lines for people on a terminal, and one JSON object a line elsewhere.
    const lines = process.stdout.isTTY ? await legibleLines() : undefined;
    const log = createLog(config.logLevel, lines);
    const started = await startConsole(config, environment, log, cleanup);
    handOver = started.handOver;
    void started.lost.then(fail);
    if (started.address) console.log(`Homeport ${version} is ready: ${started.address}`);
    if (started.proxyAddress) console.log(`Proxy service: ${started.proxyAddress}`);
    if (started.demo) console.log(started.demo);
    console.log('Ctrl-C ends it.');
  }
}

async function legibleLines() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, ignore: 'pid,hostname' });
}
