import { type Command, dokku, hostCommand, type Outcome } from '../command.ts';
import { readValues } from '../output.ts';

export function version(): Command {
  return dokku('version');
}

/** The version, such as `0.38.27`. Null without Dokku. */
export function readVersion(outcome: Outcome): string | null {
  return /^dokku version (\d+\.\d+\.\d+)/m.exec(outcome.stdout)?.[1] ?? null;
}

/** Reads the facts of a server in one round trip. A missing part leaves its line out and does not fail the rest. */
export function probe(): Command {
  return hostCommand(['sh', '-s'], { needsRoot: false, stdin: program });
}

export type Probe = {
  readonly dokkuVersion: string | null;
  readonly architecture: string | null;
  readonly osId: string | null;
  readonly osVersion: string | null;
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
  readonly diskFreeBytes: number | null;
  readonly dockerVersion: string | null;
};

const program = `say() { if [ -n "$2" ]; then printf '%s=%s\\n' "$1" "$2"; fi; }
say dokku "$(dokku version 2>/dev/null </dev/null)"
say architecture "$(uname -m)"
if [ -r /etc/os-release ]; then . /etc/os-release; fi
say os "\${ID:-}"
say os_version "\${VERSION_ID:-}"
say cpus "$(nproc 2>/dev/null)"
say memory_kb "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo 2>/dev/null)"
say disk_free_kb "$(df -Pk / 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\\([0-9]*\\) .*/\\1/p')"
say docker "$(docker version --format '{{.Server.Version}}' 2>/dev/null </dev/null)"
exit 0
`;

export function readProbe(outcome: Outcome): Probe {
  const found = readValues(outcome.stdout);
  const text = (key: string) => found.get(key) ?? null;
  const number = (key: string, factor = 1) =>
    /^\d+$/.test(text(key) ?? '') ? Number(text(key)) * factor : null;
  return {
    dokkuVersion: readVersion({ exitCode: 0, stdout: text('dokku') ?? '', stderr: '' }),
    architecture: text('architecture'),
    osId: text('os'),
    osVersion: text('os_version'),
    cpus: number('cpus'),
    memoryBytes: number('memory_kb', 1024),
    diskFreeBytes: number('disk_free_kb', 1024),
    dockerVersion: text('docker'),
  };
}
