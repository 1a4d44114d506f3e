import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ExitCode } from '../exit-codes.ts';
import { runCommand } from '../run-command.ts';
import type { Terminal } from '../terminal.ts';

export interface Ran {
  exit: ExitCode;
  out: string;
  err: string;
  /** Each change of the terminal's echo; true is without. */
  rawModes: boolean[];
}

interface Given {
  env?: Record<string, string>;
  /** Typed at the terminal, or piped in. */
  input?: string;
  /** In place of `input`: what is written to it arrives. */
  stdin?: PassThrough;
  machine?: Terminal['machine'];
  isRead?: boolean;
  canAsk?: boolean;
  interrupted?: AbortSignal;
  readerGone?: AbortSignal;
  /** In place of waiting. */
  wait?: () => Promise<void>;
  onOut?: (text: string) => void;
  onErr?: (text: string) => void;
}

/** For tests: a home folder, and command lines that run in it. */
export function testHome() {
  const home = mkdtempSync(join(tmpdir(), 'homeport-terminal-'));
  return {
    home,
    folder: join(home, '.config/homeport'),
    async run(argv: string[], given: Given = {}): Promise<Ran> {
      const ran = { out: '', err: '', rawModes: [] as boolean[] };
      const stdin = Object.assign(given.stdin ?? new PassThrough(), {
        setRawMode: (isRaw: boolean) => void ran.rawModes.push(isRaw),
      });
      if (!given.stdin) stdin.end(given.input ?? '');
      const terminal: Terminal = {
        env: given.env ?? {},
        machine: given.machine ?? { name: 'laptop', platform: 'Linux x64' },
        home,
        stdin,
        out: async (text) => {
          ran.out += text;
          given.onOut?.(text);
        },
        err: async (text) => {
          ran.err += text;
          given.onErr?.(text);
        },
        isRead: given.isRead ?? false,
        canAsk: given.canAsk ?? false,
        interrupted: given.interrupted ?? new AbortController().signal,
        readerGone: given.readerGone ?? new AbortController().signal,
        now: Date.now,
        wait: given.wait ?? (async () => {}),
      };
      const exit = await runCommand(argv, terminal);
      return { ...ran, exit };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
