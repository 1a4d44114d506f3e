import { rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Write } from '../machine/call.ts';
import type { Paths } from '../machine/paths.ts';
import { dispatch } from './dispatch.ts';
import { docker } from './docker.ts';
import { longestSocketPathBytes } from './instant-reads.ts';

/** Words of a command line. Linux takes at most 128 KiB in one word (execve(2)). */
const mostRequestBytes = 1024 * 1024;

/**
 * Answers instant reads for `ask-front.pl` over a unix socket in the sandbox's folder. A request is the role, the account and the
 * words of the command, each ended by a zero byte. A reply is the output in its order, as `<stream> <bytes>\n` and the text, and
 * at last `exit <code>\n`. The asker starts the program itself for whatever gets no whole reply. Null: the folder's path is too
 * long for a socket.
 */
export async function answerReads(paths: Paths): Promise<Server | null> {
  if (Buffer.byteLength(paths.answers) > longestSocketPathBytes) return null;
  const program = programOf(paths);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('error', () => socket.destroy());
    // A program that was put in place since would answer in another way.
    if (programOf(paths) === program) serveOne(socket);
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

function serveOne(socket: Socket): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostRequestBytes) socket.destroy();
    else parts.push(part);
  });
  socket.once('end', async () => {
    const replied: Buffer[] = [];
    const write: Write = (stream, text) => {
      const told = Buffer.from(text);
      replied.push(Buffer.from(`${stream} ${told.length}\n`), told);
    };
    try {
      const [role, account, ...words] = Buffer.concat(parts).toString().split('\0').slice(0, -1);
      const as = account === 'dokku' ? 'dokku' : 'root';
      const code =
        role === 'docker' ? await docker(words, write) : await dispatch(words, null, { as, write });
      replied.push(Buffer.from(`exit ${code}\n`));
      socket.end(Buffer.concat(replied));
    } catch {
      // The asker runs the command in a process of its own, where this error is printed.
      socket.destroy();
    }
  });
}
