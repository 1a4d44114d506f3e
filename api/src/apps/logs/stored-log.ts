import { appName, builds, stripCsi } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';

type Asked = {
  reached: Pick<ReachedApp, 'run'> & { app: { id: string; longname: string } };
  build: builds.BuildId;
};

/** Two logs of the most that a command may print. */
const keptCharacters = 8 << 20;

/**
 * Reads the logs of deploys from their servers. The log of a deploy that is over never changes, so each is asked for once and kept
 * in memory, the ones that were looked at last, up to a number of characters.
 */
export function createStoredLogs(mostCharacters = keptCharacters) {
  const kept = new Map<string, { lines: string[]; characters: number }>();
  let characters = 0;

  const drop = (key: string) => {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, lines: string[], size: number) => {
    drop(key);
    kept.set(key, { lines, characters: size });
    characters += size;
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) return;
      drop(oldest);
    }
  };

  return {
    /** `over`: the deploy had ended when the server was asked for its state. Returns no lines if the server keeps no log. */
    async read({ reached: { app, run }, build }: Asked, { over }: { over: boolean }): Promise<string[]> {
      const key = `${app.id} ${build}`;
      const known = kept.get(key);
      if (known) {
        keep(key, known.lines, known.characters);
        return known.lines;
      }
      const ran = await run(builds.output(appName(app.longname), build), {
        accept: 'any',
        deadlineMs: 20_000,
      });
      if (ran.exitCode !== 0 || ran.stdout === '') return [];
      const lines = ran.stdout.trimEnd().split('\n').map(stripCsi);
      if (over) keep(key, lines, ran.stdout.length);
      return lines;
    },
  };
}

export type StoredLogs = ReturnType<typeof createStoredLogs>;
