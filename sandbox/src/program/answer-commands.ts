import { rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Caller } from '../machine/call.ts';
import type { Paths } from '../machine/paths.ts';
import { type Asker, askerAt } from './asker.ts';
import { dispatch } from './dispatch.ts';
import { docker } from './docker.ts';
import { isRead, longestSocketPathBytes } from './front-commands.ts';

/**
 * Answers the commands of `front-commands.ts` for `ask-front.pl` over a unix socket in the sandbox's folder. A request is a number of
 * bytes on a line of its own, and then the role, the account, PATH and the words of the command, each ended by a zero byte.
 *
 * A reply is, in the order in which it happens:
 * - `begun`: from here on, the asker must not start the program in the front's place, because something may have changed,
 * - `<stream> <bytes>` and the text: output,
 * - `run <bytes>` and, each ended by a zero byte, variables, an empty word and the words of a command line: the asker runs it on its
 *   own streams, and answers with a line that holds the exit code,
 * - `stdin`: the asker answers with a line `yes`, a number of bytes on a line and its whole stdin, or with a line `no` where that is
 *   /dev/null or a terminal,
 * - `exit <code>`: the end.
 *
 * Null: the folder's path is too long for a socket.
 */
export async function answerCommands(paths: Paths): Promise<Server | null> {
  if (Buffer.byteLength(paths.answers) > longestSocketPathBytes) return null;
  const program = programOf(paths);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    // A program that was put in place since would answer in another way.
    if (programOf(paths) === program) void serveOne(socket);
    else socket.destroy();
  });
  rmSync(paths.answers, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(paths.answers, resolve);
  });
  return server;
}

const programOf = ({ program }: Paths) => {
  const about = statSync(program, { throwIfNoEntry: false });
  return about && `${about.ino} ${about.size} ${about.mtimeMs}`;
};

async function serveOne(socket: Socket): Promise<void> {
  const asker = askerAt(socket);
  const send = (line: string, body: Buffer = Buffer.alloc(0)) =>
    void socket.write(Buffer.concat([Buffer.from(`${line}\n`), body]));
  const write: Caller['write'] = (stream, text) => {
    const body = Buffer.from(text);
    send(`${stream} ${body.length}`, body);
  };
  let begun = false;
  try {
    const [role, account, path = '', ...words] = (await asker.text()).split('\0').slice(0, -1);
    const as = account === 'dokku' ? 'dokku' : 'root';
    const caller: Caller = {
      ...{ as, path, write },
      start: (argv, env) => runByAsker(asker, send, argv, env),
      stdin: async () => {
        send('stdin');
        return (await asker.line()) === 'yes' ? asker.text() : null;
      },
    };
    begun = !isRead(role, words);
    if (begun) send('begun');
    const code = role === 'docker' ? await docker(words, caller) : await dispatch(words, null, caller);
    send(`exit ${code}`);
    socket.end();
  } catch (error) {
    // After a read, the asker runs the command in a process of its own, where this error is printed.
    if (!begun) return void socket.destroy();
    write(2, `${error instanceof Error ? error.stack : error}\n`);
    send('exit 1');
    socket.end();
  }
}

/** An asker that has left ends nothing of what it started. So, as after the death of the program, nothing is cleaned up then. */
async function runByAsker(
  asker: Asker,
  send: (line: string, body: Buffer) => void,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const body = Buffer.from([...variables, '', ...argv].map((word) => `${word}\0`).join(''));
  send(`run ${body.length}`, body);
  const never = new Promise<never>(() => undefined);
  return Number(await asker.line().catch(() => never));
}
