import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are not over, by connection. */
export type OpenAnswers = {
  /** False for a connection that sends requests without waiting for their answers. It ends. */
  admit(socket: Socket, res: ServerResponse): boolean;
  /** How many answers of a connection are not over. */
  count(socket: Socket): number;
  /** Ends each connection with the last of its answers. */
  beLast(): void;
};

/** Node reads requests on for as long as no answer begins, so `most` bounds what one connection has under way. */
export function keepOpenAnswers(most: number): OpenAnswers {
  const open = new Map<Socket, ServerResponse[]>();
  const openOn = (socket: Socket): ServerResponse[] => {
    const known = open.get(socket);
    if (known !== undefined) return known;
    const answers: ServerResponse[] = [];
    open.set(socket, answers);
    socket.once('close', () => {
      open.delete(socket);
      endWaiting(answers);
    });
    return answers;
  };
  return {
    admit(socket, res) {
      const answers = openOn(socket);
      if (answers.length >= most) {
        socket.destroy();
        return false;
      }
      answers.push(res);
      res.once('close', () => answers.splice(answers.indexOf(res), 1));
      return true;
    },
    count: (socket) => open.get(socket)?.length ?? 0,
    beLast() {
      for (const [socket, answers] of open) {
        const last = answers.at(-1);
        if (last === undefined) continue;
        if (!last.headersSent) last.shouldKeepAlive = false;
        else last.once('finish', () => socket.destroySoon());
      }
    },
  };
}

/** With a connection Node closes the answer that is on it, and never hears again of those that wait for their turn. */
function endWaiting(answers: readonly ServerResponse[]): void {
  for (const res of [...answers]) {
    if (res.socket !== null) continue;
    res.destroyed = true;
    res.emit('close');
  }
}
