import { appName, builds, stripCsi } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';

type Asked = {
  reached: Pick<ReachedApp, 'run' | 'owner'> & { app: { id: string; longname: string } };
  build: builds.BuildId;
};

/** Eight logs of the most that a command may print. An account may take half. */
const storedLogCharacters = 8 << 20;
/** What a log and a line take beside their text, so that many small ones count as what they are. */
const beside = { log: 512, line: 40 };

/**
 * Reads the logs of deploys from their servers. The log of a deploy that is over never changes, so each is asked for once and kept
 * in memory, the ones that were looked at last, up to a number of characters for all accounts and for each.
 */
export function createStoredLogs(mostCharacters = storedLogCharacters) {
  const kept = new Map<string, { owner: string; lines: string[]; size: number }>();
  const held = new Map<string, number>();
  let all = 0;

  const count = (owner: string, size: number) => {
    const its = (held.get(owner) ?? 0) + size;
    all += size;
    if (its === 0) held.delete(owner);
    else held.set(owner, its);
  };
  const drop = (key: string) => {
    const log = kept.get(key);
    if (!log) return;
    count(log.owner, -log.size);
    kept.delete(key);
  };
  const keep = (key: string, owner: string, lines: string[], size: number) => {
    drop(key);
    kept.set(key, { owner, lines, size });
    count(owner, size);
    for (const [oldest, log] of kept) {
      const isOver = (held.get(owner) ?? 0) > mostCharacters / 2;
      if (!isOver && all <= mostCharacters) return;
      if (!isOver || log.owner === owner) drop(oldest);
    }
  };

  return {
    /** `over`: the deploy had ended when the server was asked for its state. Returns no lines if the server keeps no log. */
    async read(
      { reached: { app, run, owner }, build }: Asked,
      { over }: { over: boolean },
    ): Promise<string[]> {
      const key = `${app.id} ${build}`;
      const known = kept.get(key);
      if (known) {
        keep(key, owner, known.lines, known.size);
        return known.lines;
      }
      const ran = await run(builds.output(appName(app.longname), build), {
        accept: 'any',
        deadlineMs: 20_000,
      });
      if (ran.exitCode !== 0 || ran.stdout === '') return [];
      const lines = ran.stdout.trimEnd().split('\n').map(stripCsi);
      if (over) keep(key, owner, lines, ran.stdout.length + beside.log + lines.length * beside.line);
      return lines;
    },
  };
}

export type StoredLogs = ReturnType<typeof createStoredLogs>;
