import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelWindowBytes } from '@homeport/contract/limits';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  keyLogin,
  listen,
  makeKey,
  type Sshd,
  type SshdOptions,
  signerFor,
  startSshd,
} from '../testing/index.ts';
import {
  type Clock,
  CommandError,
  type Connection,
  type ConnectionLife,
  openConnection,
  splitLines,
  type Timeouts,
} from './index.ts';

const key = makeKey('ed25519');
const authorizedKeys = [key.publicKeyLine];
const deadlineMs = 30_000;
/** The shells of fifty logins are slow on a busy machine. This bound only ends a test that hangs. */
const patienceMs = 120_000;
let open: Connection[] = [];

const connectTo = async (sshd: Sshd, life: ConnectionLife = {}, timeouts: Partial<Timeouts> = {}) => {
  const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem), { life, timeouts }));
  open.push(connection);
  return connection;
};

const failureOf = async (running: Promise<unknown>) => {
  const error: unknown = await running.then(
    () => 'it ran to its end',
    (reason: unknown) => reason,
  );
  if (!(error instanceof CommandError)) throw new Error(`Not a command failure: ${String(error)}`);
  return error.failure;
};

/** Runs the program until it says something, then cancels it. */
const cancelOnceUp = (connection: Connection, script: string, mark: string) => {
  const cancel = new AbortController();
  return connection.runProgram({
    script,
    args: [mark],
    deadlineMs,
    signal: cancel.signal,
    onStdout: () => cancel.abort(),
  });
};

/** The processes that `ps` on the server shows with `mark` in their command line. */
const processesWith = (mark: string) =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark));

afterEach(() => {
  for (const connection of open) connection.close();
  open = [];
});

describe('a command', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd({ authorizedKeys, recordCommands: true });
  });
  afterAll(() => sshd.dispose());

  const hostile = [
    '',
    "it's ''' quoted",
    '"double" \\ back\\\\slash',
    '$(touch /tmp/pwned) `touch /tmp/pwned` $HOME',
    'two\nlines\r\n',
    '; exit 3 & | > /tmp/pwned #',
    '*? ~ !! [a]',
    '-n',
    'A=b',
    '😀 ünï',
  ];

  it('gets hostile words byte for byte', async () => {
    const connection = await connectTo(sshd);
    const result = await connection.exec({ argv: ['printf', '%s\\0', ...hostile], deadlineMs });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout.split('\0').slice(0, -1)).toEqual(hostile);
    expect(sshd.received().at(-1)?.includes(Buffer.from('😀 ünï'))).toBe(true);
  });

  it('asks on a free channel, right before it goes out, and does not go out if the answer is no', async () => {
    const connection = await connectTo(sshd);
    let full = 0;
    const leave = new AbortController();
    const holders = Array.from({ length: connection.channelLimit }, () =>
      failureOf(
        connection.runProgram({
          script: 'echo up; exec sleep 600',
          deadlineMs: patienceMs,
          signal: leave.signal,
          onStdout: () => {
            full += 1;
          },
        }),
      ),
    );
    await expect.poll(() => full, { timeout: patienceMs }).toBe(connection.channelLimit);
    let asked = 0;
    const mark = `forbidden-${process.pid}`;
    const no = new Error('It is forbidden by now.');
    const running = connection.exec({
      argv: ['echo', mark],
      deadlineMs: patienceMs,
      before: () => {
        asked += 1;
        return Promise.reject(no);
      },
    });
    const refused = expect(running).rejects.toBe(no);
    expect(asked).toBe(0);
    leave.abort();
    await refused;
    expect(asked).toBe(1);
    await Promise.all(holders);
    // The channel of the refused command is free again: as many as ever run side by side.
    const all = Array.from({ length: connection.channelLimit }, () =>
      connection.exec({ argv: ['true'], deadlineMs: patienceMs, before: () => Promise.resolve() }),
    );
    expect((await Promise.all(all)).every(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(sshd.received().some((line) => line.includes(mark))).toBe(false);
  });

  it('waits while nobody reads its output; other commands on the connection do not wait', async () => {
    const connection = await connectTo(sshd);
    const mark = `flood-${process.pid}`;
    const leave = new AbortController();
    let arrived = 0;
    const flood = connection.runProgram({
      script: 'while :; do head -c 65536 /dev/zero; done',
      args: [mark],
      deadlineMs,
      signal: leave.signal,
      whenTooLong: 'keep_newest',
      onStdout: (text) => {
        arrived += text.length;
        // The reader never becomes ready for more.
        return new Promise<void>(() => {});
      },
    });
    const ended = failureOf(flood);
    // The launcher’s mark on stderr takes a few bytes of the window.
    await expect.poll(() => arrived, { timeout: patienceMs }).toBeGreaterThan(channelWindowBytes - 1_000);
    // Each of these commands moves 1 MB over the same connection while the flood waits.
    for (let n = 0; n < 3; n += 1) {
      const other = await connection.exec({ argv: ['head', '-c', '1000000', '/dev/zero'], deadlineMs });
      expect(other.stdout).toHaveLength(1_000_000);
    }
    expect(arrived).toBeLessThanOrEqual(channelWindowBytes);
    expect(processesWith(mark)).not.toEqual([]);
    leave.abort();
    expect(await ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(processesWith(mark)).toEqual([]);
  });

  it('goes on when its reader takes the text, and loses nothing', async () => {
    const connection = await connectTo(sshd);
    let text = '';
    const result = await connection.exec({
      argv: [
        'sh',
        '-c',
        'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); echo "$i a line of some length, and no other like it"; done',
      ],
      deadlineMs,
      maxOutputBytes: 4_000_000,
      onStdout: async (part) => {
        text += part;
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
    expect(result.exitCode).toBe(0);
    expect(text.length).toBeGreaterThan(4 * channelWindowBytes);
    expect(text).toBe(result.stdout);
  });

  it('gets its environment, stdin and exit code through', async () => {
    const connection = await connectTo(sshd);
    const result = await connection.exec({
      argv: ['sh', '-c', 'cat; printf "%s" "$GREETING" >&2; exit 7'],
      env: { GREETING: "it's $HOME" },
      stdin: 'from stdin',
      deadlineMs,
    });
    expect(result).toMatchObject({ exitCode: 7, signal: null, stdout: 'from stdin', stderr: "it's $HOME" });
  });

  it('refuses words that no command can have, and sends nothing', async () => {
    const connection = await connectTo(sshd);
    const before = sshd.received().length;
    await expect(connection.exec({ argv: ['a\0b'], deadlineMs })).rejects.toThrow(RangeError);
    await expect(connection.exec({ argv: [], deadlineMs })).rejects.toThrow(RangeError);
    await expect(connection.exec({ argv: ['true'], env: { 'A;B': '' }, deadlineMs })).rejects.toThrow(
      RangeError,
    );
    await expect(connection.exec({ argv: ['echo', 'x'.repeat(130_000)], deadlineMs })).rejects.toThrow(
      RangeError,
    );
    expect(sshd.received()).toHaveLength(before);
  });

  it('ended by a signal has the signal’s name and no exit code', async () => {
    const connection = await connectTo(sshd);
    const result = await connection.exec({ argv: ['sh', '-c', 'kill -TERM $$'], deadlineMs });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
  });

  it('streams whole characters, so that lines can be made of them', async () => {
    const connection = await connectTo(sshd);
    const lines: string[] = [];
    const splitter = splitLines((line) => lines.push(line));
    await connection.exec({
      argv: ['sh', '-c', "printf '\\360\\237'; sleep 0.05; printf '\\230\\200 one\\r\\ntwo\\nrest'"],
      deadlineMs,
      onStdout: splitter.write,
    });
    splitter.end();
    expect(lines).toEqual(['😀 one', 'two', 'rest']);
  });

  it('leaves the whole stdin to a program, so that no secret stands on a command line', async () => {
    const connection = await connectTo(sshd);
    const secret = 'canary-in-stdin';
    const result = await connection.runProgram({
      script: 'set -eu\nIFS= read -r secret\nprintf "%s|%s|" "$1" "$2"\nprintf %s "$secret" | wc -c\ncat',
      args: ["it's", '$(id)'],
      stdin: `${secret}\nmore\n`,
      deadlineMs,
    });
    expect(result.stdout).toBe(`it's|$(id)|${secret.length}\nmore\n`);
    expect(sshd.received().some((line) => line.includes(secret))).toBe(false);
  });

  it.each(['deadline', 'cancellation'] as const)(
    'leaves no process behind when its %s ends it',
    async (by) => {
      const connection = await connectTo(sshd);
      const mark = `homeport-left-${by}-${process.pid}`;
      const cancel = new AbortController();
      // A child, a grandchild in the background, and a process that timeout(1) puts into a process group of its own.
      const script = `sh -c 'sleep 300 # ${mark}; :' & timeout 300 sh -c 'echo up; sleep 300 # ${mark}
      :' & wait`;
      const running = connection.runProgram({
        script,
        args: [mark],
        deadlineMs: by === 'deadline' ? 8_000 : deadlineMs,
        signal: cancel.signal,
        onStdout: () => {
          expect(processesWith(mark).length).toBeGreaterThan(2);
          if (by === 'cancellation') cancel.abort();
        },
      });
      expect(await failureOf(running)).toMatchObject({
        code: by === 'deadline' ? 'timeout' : 'cancelled',
        remoteEnded: true,
        outputTail: 'up\n',
      });
      expect(processesWith(mark)).toEqual([]);
      expect(await connection.exec({ argv: ['true'], deadlineMs })).toMatchObject({ exitCode: 0 });
    },
  );

  it('is killed when it ignores TERM', async () => {
    const connection = await connectTo(sshd);
    const mark = `homeport-stubborn-${process.pid}`;
    const running = cancelOnceUp(connection, 'trap "" TERM; echo up; while :; do sleep 1; done', mark);
    expect(await failureOf(running)).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(processesWith(mark)).toEqual([]);
  });

  it('leaves no process behind when it is cancelled while its channel opens', async () => {
    const connection = await connectTo(sshd);
    const mark = `homeport-early-${process.pid}`;
    const cancel = new AbortController();
    const running = connection.runProgram({
      script: 'sleep 300',
      args: [mark],
      deadlineMs,
      signal: cancel.signal,
    });
    setImmediate(() => cancel.abort());
    expect(await failureOf(running)).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(sshd.received().some((line) => line.includes(mark))).toBe(true);
    expect(processesWith(mark)).toEqual([]);
  });

  it('never reaches the server when it is cancelled before it began', async () => {
    const connection = await connectTo(sshd);
    const before = sshd.received().length;
    const running = connection.exec({ argv: ['true'], deadlineMs, signal: AbortSignal.abort() });
    expect(await failureOf(running)).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(sshd.received()).toHaveLength(before);
  });

  it('is ended at the bound when it prints without end', async () => {
    const connection = await connectTo(sshd);
    const mark = `homeport-yes-${process.pid}`;
    const running = connection.exec({ argv: ['yes', mark], deadlineMs, maxOutputBytes: 10_000 });
    expect(await failureOf(running)).toMatchObject({
      code: 'output_limit',
      maxOutputBytes: 10_000,
      remoteEnded: true,
    });
    expect(processesWith(mark)).toEqual([]);
  });

  it('may run on past the bound, and its newest output is kept', async () => {
    const connection = await connectTo(sshd);
    const argv = ['sh', '-c', 'head -c 100000 /dev/zero | tr "\\0" a; echo the end'];
    const result = await connection.exec({
      argv,
      deadlineMs,
      maxOutputBytes: 1_000,
      whenTooLong: 'keep_newest',
    });
    expect(result).toMatchObject({ exitCode: 0, truncated: true });
    expect(result.stdout).toBe(`${'a'.repeat(992)}the end\n`);
  });

  it('has its newest mebibyte kept where its caller names no bound', async () => {
    const connection = await connectTo(sshd);
    const result = await connection.exec({
      argv: ['sh', '-c', 'head -c 2000000 /dev/zero; echo the end'],
      deadlineMs,
      whenTooLong: 'keep_newest',
    });
    expect(result.truncated).toBe(true);
    expect(result.stdout.length + result.stderr.length).toBe(1024 * 1024);
    expect(result.stdout.endsWith('the end\n')).toBe(true);
  });

  it('is read at a bounded pace past the bound, and the end of its output still arrives', async () => {
    const connection = await connectTo(sshd);
    const result = await connection.exec({
      argv: ['sh', '-c', 'head -c 16000000 /dev/zero; echo the end'],
      deadlineMs,
      maxOutputBytes: 8,
      whenTooLong: 'keep_newest',
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'the end\n' });
    // 16 MB at 8 MiB a second.
    expect(result.durationMs).toBeGreaterThan(1_000);
  });

  it('hands its reader nothing more once it is cancelled, however long it goes on printing', async () => {
    const connection = await connectTo(sshd);
    const leave = new AbortController();
    let [before, after] = [0, 0];
    const ended = failureOf(
      connection.exec({
        // Both ignore SIGTERM: the flood lasts until the KILL two seconds later.
        argv: ['sh', '-c', 'trap "" TERM; yes flood'],
        deadlineMs,
        signal: leave.signal,
        whenTooLong: 'keep_newest',
        onStdout: (text) => {
          if (leave.signal.aborted) after += text.length;
          else before += text.length;
        },
      }),
    );
    await expect.poll(() => before, { timeout: patienceMs }).toBeGreaterThan(channelWindowBytes);
    leave.abort();
    expect(await ended).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(after).toBe(0);
  });
});

describe('an account’s shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-shell-'));
  // This shell understands only what every shell does: words, and single quotes around them.
  const odd = join(folder, 'fish');
  writeFileSync(
    odd,
    '#!/bin/sh\ncase $2 in "exec sh -c "* | "sh -c "*) exec /bin/sh "$@" ;; esac\necho "odd: $2" >&2; exit 9\n',
    { mode: 0o755 },
  );
  afterAll(() => rmSync(folder, { recursive: true }));
  const shells = ['/bin/bash', '/bin/dash', '/bin/zsh', '/bin/ksh'].filter((path) => existsSync(path));

  it.each([...shells, odd])(
    'passes words on whole and lets a cancelled command be ended: %s',
    async (shell) => {
      await using sshd = await startSshd({ authorizedKeys, recordCommands: true, env: { SHELL: shell } });
      const connection = await connectTo(sshd);
      expect(connection.loginShell).toBe(shell === odd ? 'unknown' : 'posix');

      const words = ["it's", '$HOME `id` \\', '!! *', '', '😀\n'];
      const result = await connection.exec({
        argv: ['printf', '%s\\0', ...words],
        env: { GREETING: "it's" },
        deadlineMs,
      });
      expect(result).toMatchObject({ exitCode: 0, stderr: '', stdout: `${words.join('\0')}\0` });
      expect(await connection.exec({ argv: ['/no/such/program'], deadlineMs })).toMatchObject({
        exitCode: 127,
      });

      const mark = `homeport-shell-${process.pid}`;
      const running = cancelOnceUp(connection, 'sleep 300 & echo up; wait', mark);
      expect(await failureOf(running)).toMatchObject({ code: 'cancelled', remoteEnded: true });
      expect(processesWith(mark)).toEqual([]);
    },
  );
});

describe('a server’s own limits', () => {
  it(
    'let fifty commands share eight channels',
    async () => {
      await using sshd = await startSshd({ authorizedKeys });
      const connection = await connectTo(sshd);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          connection.exec({ argv: ['echo', `${index}`], deadlineMs: patienceMs }),
        ),
      );
      expect(results.map(({ stdout }) => Number(stdout))).toEqual(
        Array.from({ length: 50 }, (_, index) => index),
      );
    },
    patienceMs,
  );

  it.each([1, 3])(
    'with MaxSessions %i make the connection open fewer channels at once, and no command is lost',
    async (sessions) => {
      await using sshd = await startSshd({ authorizedKeys, config: { MaxSessions: sessions } });
      const connection = await connectTo(sshd);
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          connection.exec({ argv: ['sh', '-c', 'sleep 1; echo "$0"', `${index}`], deadlineMs: patienceMs }),
        ),
      );
      expect(results.map(({ stdout }) => Number(stdout))).toEqual(
        Array.from({ length: 6 }, (_, index) => index),
      );
      expect(connection.channelLimit).toBeLessThanOrEqual(sessions);
    },
    patienceMs,
  );

  it('with MaxSessions 3 still let a cancelled command be ended', async () => {
    await using sshd = await startSshd({ authorizedKeys, config: { MaxSessions: 3 } });
    const connection = await connectTo(sshd);
    await Promise.all(Array.from({ length: 8 }, () => connection.exec({ argv: ['sleep', '1'], deadlineMs })));
    const cancel = new AbortController();
    let up = 0;
    const running = Array.from({ length: connection.channelLimit }, () =>
      connection.exec({
        argv: ['sh', '-c', 'echo up; sleep 30'],
        deadlineMs,
        signal: cancel.signal,
        onStdout: () => {
          up += 1;
          if (up === connection.channelLimit) cancel.abort();
        },
      }),
    );
    for (const failure of await Promise.all(running.map(failureOf))) {
      expect(failure).toMatchObject({ code: 'cancelled', remoteEnded: true });
    }
  });
});

describe('the end of a connection', () => {
  const withSshd = async (use: (sshd: Sshd) => Promise<void>, options: SshdOptions = {}) => {
    await using sshd = await startSshd({ authorizedKeys, ...options });
    await use(sshd);
  };

  it('is reported as lost when the server is killed, never as a success', () =>
    withSshd(async (sshd) => {
      const connection = await connectTo(sshd);
      const closed = new Promise((resolve) => connection.onClose(resolve));
      const running = connection.exec({
        argv: ['sh', '-c', 'echo up; sleep 30'],
        deadlineMs,
        onStdout: () => void sshd.kill(),
      });
      expect(await failureOf(running)).toEqual({ code: 'connection_lost', outputTail: 'up\n' });
      expect(await closed).toBe('lost');
      expect(connection.usable).toBe(false);
      expect(await failureOf(connection.exec({ argv: ['true'], deadlineMs }))).toEqual({
        code: 'connection_required',
      });
    }));

  it('is reported as lost, not as refused, while the request for a command is unanswered', () =>
    withSshd(async (sshd) => {
      let asking = false;
      let opened = false;
      const relay = createServer((client) => {
        const upstream = connect(sshd.port, sshd.host);
        // After the server has opened the channel, the next bytes are the request for the command.
        client.on('data', (bytes) => (opened ? client.destroy() : upstream.write(bytes)));
        upstream.on('data', (bytes) => {
          client.write(bytes);
          opened = asking;
        });
        upstream.on('error', () => {});
        client.on('error', () => {}).on('close', () => upstream.destroy());
      });
      const connection = await connectTo({ ...sshd, port: await listen(relay) });
      asking = true;
      expect(await failureOf(connection.exec({ argv: ['true'], deadlineMs }))).toEqual({
        code: 'connection_lost',
        outputTail: '',
      });
      expect(opened).toBe(true);
      relay.close();
    }));

  it('comes when the peer falls silent', () =>
    withSshd(async (sshd) => {
      let silent = false;
      const relay = createServer((client) => {
        const upstream = connect(sshd.port, sshd.host);
        client.on('data', (bytes) => !silent && upstream.write(bytes)).on('error', () => {});
        upstream.on('data', (bytes) => !silent && client.write(bytes)).on('error', () => {});
        client.on('close', () => upstream.destroy());
      });
      const port = await listen(relay);
      const connection = await connectTo(
        { ...sshd, port },
        {},
        {
          keepaliveInterval: 50,
          keepaliveCount: 2,
        },
      );
      const closed = new Promise((resolve) => connection.onClose(resolve));
      const running = connection.exec({
        argv: ['sh', '-c', 'echo up; sleep 30'],
        deadlineMs,
        onStdout: () => {
          silent = true;
        },
      });
      expect(await failureOf(running)).toEqual({ code: 'connection_lost', outputTail: 'up\n' });
      expect(await closed).toBe('lost');
      relay.close();
    }));

  it('comes after five idle minutes, counted from the last command’s end', () =>
    withSshd(async (sshd) => {
      const clock = manualClock();
      const connection = await connectTo(sshd, { clock });
      const closed = new Promise((resolve) => connection.onClose(resolve));
      clock.pass(4 * 60_000);
      await connection.exec({ argv: ['true'], deadlineMs });
      clock.pass(4 * 60_000);
      expect(connection.usable).toBe(true);
      clock.pass(60_000);
      expect(connection.usable).toBe(false);
      expect(await closed).toBe('idle');
    }));

  it('comes after an hour of use, and lets the running command finish', () =>
    withSshd(async (sshd) => {
      const clock = manualClock();
      const connection = await connectTo(sshd, { clock });
      const closed = new Promise((resolve) => connection.onClose(resolve));
      const result = await connection.exec({
        argv: ['sh', '-c', 'echo up; sleep 0.2; echo done'],
        deadlineMs,
        onStdout: (text) => {
          if (text.includes('up')) clock.pass(60 * 60_000);
        },
      });
      expect(result.stdout).toBe('up\ndone\n');
      expect(await closed).toBe('age');
    }));
});

/** A clock that moves only by `pass`. */
function manualClock(): Clock & { pass(ms: number): void } {
  let now = 1_000_000;
  const timers = new Set<{ at: number; then: () => void }>();
  return {
    now: () => now,
    after(ms, then) {
      const timer = { at: now + ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.then();
      }
    },
  };
}
