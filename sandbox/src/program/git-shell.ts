import { spawn } from 'node:child_process';
import { createApp } from '../deploy/create-app.ts';
import { Call, Exit } from '../machine/call.ts';
import { ensureRepository, gitEnvironment } from '../machine/repository.ts';
import { dispatch } from './dispatch.ts';

/**
 * `dokku@host`: the forced command of every key that `ssh-keys:add` wrote. Git's own two commands reach git. Every other line is a
 * Dokku command, whose words are split like the real Dokku does.
 */
export async function serveKey(keyName: string, original: string): Promise<number> {
  process.env.DOKKU_SANDBOX_AS = 'dokku';
  const git = /^git-(receive|upload)-pack '\/?([^']*)'$/.exec(original);
  if (git) return servePack(keyName, git[1] === 'receive' ? 'receive-pack' : 'upload-pack', git[2] ?? '');
  const { words, unmatched } = splitWords(original);
  if (unmatched) {
    process.stderr.write(
      `xargs: unmatched ${unmatched} quote; by default quotes are special to xargs unless you use the -0 option\n`,
    );
  }
  return dispatch(words, keyName);
}

/** Splits by xargs's rules of quoting. Each word passes through `echo`, so some words vanish. */
export function splitWords(line: string): { words: string[]; unmatched: 'single' | 'double' | null } {
  const words: string[] = [];
  for (const part of line.split('\n')) {
    const pattern = /\s*((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+)/y;
    let at = 0;
    for (let found = pattern.exec(part); found; found = pattern.exec(part)) {
      at = pattern.lastIndex;
      words.push(
        (found[1] ?? '').replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, a, b, c) => a ?? b ?? c ?? ''),
      );
    }
    const left = part.slice(at).trim();
    if (left.startsWith("'")) return { words: words.filter(isKept), unmatched: 'single' };
    if (left.startsWith('"')) return { words: words.filter(isKept), unmatched: 'double' };
  }
  return { words: words.filter(isKept), unmatched: null };
}

const isKept = (word: string) => word !== '-n';

async function servePack(keyName: string, pack: string, name: string): Promise<number> {
  const call = new Call({ command: 'git', words: [], keyName });
  call.silence();
  try {
    if (call.state.app(name) === undefined || !/^[a-z0-9][a-z0-9.-]*$/.test(name)) {
      if (!call.state.settings().autocreation) {
        call.warn('App auto-creation disabled.');
        call.fail(`Re-enable app auto-creation or create an app with 'dokku apps:create ${name}'`);
      }
      await createApp(call, name);
    }
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
  const child = spawn('git', [pack, ensureRepository(call.state.paths, name)], {
    stdio: 'inherit',
    env: { ...gitEnvironment(), DOKKU_SANDBOX_KEY: keyName },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
