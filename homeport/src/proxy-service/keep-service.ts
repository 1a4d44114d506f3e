import { type ChildProcess, fork } from 'node:child_process';
import { type Order, type Report, reportSchema } from './messages.ts';

/** After its death the service is begun anew so much later; twice as much after each further death. */
const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A service that lived this long died of a new cause, so that the pause before the next start is short again. */
const healthyMs = 60_000;
/** How often the service is asked whether it still answers, and how often in a row it may be silent. */
const pingEveryMs = 5_000;
const silentPings = 6;
/** What visitors have under way may take so long at the end. */
const endWithinMs = 12_000;
const keptOfErrors = 2_000;

/**
 * A young generation that holds what requests need. The console gives its own back (`garbage-of-start.ts`) and may grow it, too; this process
 * runs only while it has visitors to serve.
 */
const heapFlags = ['--max-semi-space-size=32', '--min-semi-space-size=32', '--heap-growing-percent=100'];

export type ServiceKeeper = {
  /** Starts the service unless it runs. Begins it anew when it dies. */
  start(): void;
  /** Ends the service when what is under way has ended. A later `start` does not wait for that. */
  stop(): void;
  /** Lets the service go on without this process, for the console that comes next. */
  handOver(): void;
  /** Ends all processes. */
  close(): Promise<void>;
};

export type KeeperDeps = {
  program: string;
  /** The most that JavaScript of the service may take. A service that outgrows it dies and comes back with its snapshot. */
  heapMiB: number;
  begin: Omit<Extract<Order, { kind: 'begin' }>, 'kind'>;
  /** A failure in the service, or its end. */
  report(problem: { what: string; text: string }): void;
  /** The port that another program has. Called once until the service serves again. */
  portTaken(port: number): void;
  times?: Partial<{ pingEveryMs: number }>;
};

type Member = {
  child: ChildProcess;
  begunAt: number;
  isServing: boolean;
  /** It was told to end. */
  isUnwanted: boolean;
  unanswered: number;
  errors: string;
  refusal: Extract<Report, { kind: 'refused' }> | null;
};

/** The port that another program has. Null where that is not the reason. */
const portTakenBy = (refusal: Member['refusal']): number | null =>
  refusal?.code === 'EADDRINUSE' ? refusal.port : null;

/** Runs the proxy service as a process of its own, so that visitors and rules never hold the console up, and watches it. */
export function keepService(deps: KeeperDeps): ServiceKeeper {
  const { report } = deps;
  /** The process that serves, or will. Others end. */
  let current: Member | undefined;
  const members = new Set<Member>();
  let again: NodeJS.Timeout | undefined;
  const ends = reportEnds(deps);

  function begin(pauseMs: number): void {
    const member = newMember(deps);
    current = member;
    members.add(member);
    const { child } = member;
    child.on('message', (message) => hear(member, message));
    child.on('error', (error) => {
      report({ what: 'the process of the proxy service', text: error.message });
      // A process that could not begin has no end either.
      if (child.pid === undefined) goOn(member, pauseMs);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      member.errors = (member.errors + text).slice(-keptOfErrors);
    });
    child.once('exit', () => goOn(member, pauseMs));
    // What the process printed last comes after its end.
    child.once('close', (code, signal) => {
      if (!member.isUnwanted) ends.report(member, `ended with ${signal ?? code}`);
    });
  }

  function goOn(member: Member, pauseMs: number): void {
    members.delete(member);
    if (current !== member) return;
    current = undefined;
    const wait = performance.now() - member.begunAt > healthyMs ? firstPauseMs : pauseMs;
    again = setTimeout(() => {
      again = undefined;
      begin(Math.min(wait * 2, longestPauseMs));
    }, wait);
    again.unref();
  }

  function hear(member: Member, message: unknown): void {
    const read = reportSchema.safeParse(message);
    if (!read.success) return;
    const told = read.data;
    if (told.kind === 'ready') send(member, { kind: 'begin', ...deps.begin });
    else if (told.kind === 'pong') member.unanswered = 0;
    else if (told.kind === 'failed') report(told);
    else if (told.kind === 'refused') member.refusal = told;
    else {
      member.isServing = true;
      ends.reset();
    }
  }

  const watch = watchFor(() => current, deps);
  const killAll = () => {
    for (const { child } of members) child.kill('SIGKILL');
  };
  // A console that ends on purpose takes its service with it, also where it does not wait for anything.
  process.once('exit', killAll);

  function stop(): void {
    clearTimeout(again);
    again = undefined;
    ends.reset();
    const member = current;
    current = undefined;
    if (member) endMember(member);
  }

  function forget(): void {
    clearTimeout(again);
    clearInterval(watch);
    process.off('exit', killAll);
  }

  return {
    start() {
      if (current === undefined && again === undefined) begin(firstPauseMs);
    },
    stop,
    handOver() {
      forget();
      current = undefined;
      for (const { child } of members) {
        child.disconnect();
        child.unref();
      }
      members.clear();
    },
    async close() {
      stop();
      await Promise.all(
        [...members].map(({ child }) => new Promise((resolve) => child.once('exit', resolve))),
      );
      forget();
    },
  };
}

/** Reports why a process ended: a taken port once, until `reset`. */
function reportEnds({ report, portTaken }: KeeperDeps) {
  let takenPort: number | null = null;
  return {
    report({ refusal, errors }: Member, how: string): void {
      const port = portTakenBy(refusal);
      if (port === null) {
        report({ what: 'the process of the proxy service', text: refusal?.text ?? `It ${how}. ${errors}` });
      } else if (port !== takenPort) {
        takenPort = port;
        portTaken(port);
      }
    },
    reset() {
      takenPort = null;
    },
  };
}

/** A process that is held up for good serves nobody, and does not end by itself. */
function watchFor(current: () => Member | undefined, { report, times }: KeeperDeps): NodeJS.Timeout {
  const look = () => {
    const member = current();
    if (member === undefined) return;
    if (member.unanswered >= silentPings) {
      report({ what: 'the process of the proxy service', text: 'It does not answer, and is killed.' });
      member.child.kill('SIGKILL');
    }
    member.unanswered += 1;
    send(member, { kind: 'ping' });
  };
  return setInterval(look, times?.pingEveryMs ?? pingEveryMs).unref();
}

function newMember({ program, heapMiB }: KeeperDeps): Member {
  const child = fork(program, [], {
    execArgv: [...heapFlags, `--max-old-space-size=${heapMiB}`],
    env: withoutSettings(process.env),
    // A console that is killed leaves no end of a pipe that somebody waits for.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return {
    child,
    begunAt: performance.now(),
    isServing: false,
    isUnwanted: false,
    unanswered: 0,
    errors: '',
    refusal: null,
  };
}

function send({ child }: Member, order: Order): void {
  if (child.connected) child.send(order, () => undefined);
}

/** Lets what is under way end, for a while. A process that took no order yet has nothing under way. */
function endMember(member: Member): void {
  const { child } = member;
  member.isUnwanted = true;
  if (member.isServing) send(member, { kind: 'end' });
  else child.kill('SIGKILL');
  const late = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  child.once('exit', () => clearTimeout(late));
}

/** The settings of the console, with its secrets, do not belong into a process beside it. It gets what it needs. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('HOMEPORT_') && !name.startsWith('DATABASE_URL')),
  );
}
