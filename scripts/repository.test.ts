import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { messages } from '@homeport/contract/messages';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './install.mjs';

/** The files of the repository, and new files that are not ignored. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));

const thisFile = 'scripts/repository.test.ts';
const sources = files.filter((path) => /\.(?:[cm]?[jt]sx?|css|sh)$/.test(path) && path !== thisFile);
const documents = files.filter((path) => path.endsWith('.md'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Each line of `paths` that matches, as `path:line: text`. */
function linesLike(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

describe('SECURITY.md', () => {
  it('names only tests that exist', () => {
    const named = [...read('SECURITY.md').matchAll(/`([\w-]+\.(?:test|spec)\.ts)`/g)].map(
      ([, name = '']) => name,
    );
    const present = new Set(files.map((path) => basename(path)));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !present.has(name))).toEqual([]);
  });
});

describe('the unit file of the operator guide', () => {
  it('starts Node with the options of `npm start`', () => {
    const optionsOf = (command = '') => command.split(' ').filter((word) => word.startsWith('--'));
    const manifest = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(read('package.json')));
    const [, service] =
      /^ExecStart=\S+node (.+) scripts\/start\.mjs /m.exec(read('docs/operator-guide.md')) ?? [];
    expect(optionsOf(service)).toEqual(optionsOf(manifest.scripts.start));
  });
});

describe('the sources', () => {
  it('never step around the type checker', () => {
    expect(linesLike(/\bas any\b|@ts-(?:ignore|nocheck)/, sources)).toEqual([]);
  });

  it('have no note about unfinished work', () => {
    expect(linesLike(/\b(?:TODO|FIXME|XXX|HACK)\b/, [...sources, ...documents])).toEqual([]);
  });

  it('run no test alone and skip no test always', () => {
    const tests = sources.filter((path) => /\.(?:test|spec)\.tsx?$/.test(path));
    expect(linesLike(/\.(?:only|todo|fixme)\(|\b(?:it|test|describe)\.skip\(/, tests)).toEqual([]);
  });

  it('name files after their content', () => {
    const vague = /(?:^|[-.])(?:utils?|helpers?|common|managers?|misc)(?:[-.]|$)/i;
    expect(files.filter((path) => path.split('/').some((part) => vague.test(part)))).toEqual([]);
  });

  it('of the page hand a locale to Intl, because a browser’s own language can be one that Intl refuses', () => {
    const shown = sources.filter((path) => /^web\/src\/.*(?<!\.test)\.tsx?$/.test(path));
    const withoutLocale =
      /new Intl\.\w+\((?!pageLocale|locale\b|'en')|\.toLocale\w+\(\)|\.localeCompare\((?!.*[lL]ocale\))/;
    expect(linesLike(withoutLocale, shown)).toEqual([]);
    expect(linesLike(/navigator\.languages?\b/, shown)).toEqual([
      expect.stringMatching(/^web\/src\/ui\/text\/locale\.ts:/),
    ]);
  });

  it('spell the fixed texts of the specification in the contract only', () => {
    const shown = sources.filter(
      (path) => /\.tsx?$/.test(path) && !/^contract\/|^e2e\/|\.test\.tsx?$/.test(path),
    );
    const phrases = Object.values(messages).filter((text) => text.includes(' '));
    const copies = shown.flatMap((path) => {
      const text = read(path);
      return phrases
        .filter((phrase) => ["'", '"', '`'].some((quote) => text.includes(quote + phrase + quote)))
        .map((phrase) => `${path}: ${phrase}`);
    });
    expect(copies).toEqual([]);
  });
});

const dependenciesSchema = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  scripts: dependenciesSchema,
  dependencies: dependenciesSchema,
  devDependencies: dependenciesSchema,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ resolved: z.string().optional(), hasInstallScript: z.boolean().optional() }),
  ),
});
const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
const lock = lockSchema.parse(JSON.parse(read('package-lock.json')));

describe('the packages', () => {
  it('come from the registry of npm’s settings, because the lockfile holds no address', () => {
    const addresses = Object.values(lock.packages).flatMap(({ resolved }) => resolved ?? []);
    expect(addresses.filter((address) => address.includes(':'))).toEqual([]);
  });

  it('run no install script, and package.json refuses each that has one', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    const withScript = Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    const refused = Object.keys(manifest.allowScripts).filter(
      (name) => manifest.allowScripts[name] === false,
    );
    expect(refused).toEqual(Object.keys(manifest.allowScripts));
    expect(withScript.filter((name) => !refused.includes(name))).toEqual([]);
    expect(refused.filter((name) => !(`node_modules/${name}` in lock.packages))).toEqual([]);
  });

  it('have one exact version each in all rooms', () => {
    const versions = new Map<string, Set<string>>();
    for (const path of files.filter((file) => basename(file) === 'package.json')) {
      const { dependencies, devDependencies } = manifestSchema.parse(JSON.parse(read(path)));
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
        versions.set(name, (versions.get(name) ?? new Set()).add(version));
      }
    }
    const loose = [...versions].filter(
      ([, seen]) => seen.size > 1 || [...seen].some((text) => !/^\d/.test(text)),
    );
    expect(loose.map(([name, seen]) => `${name}: ${[...seen].join(', ')}`)).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'LICENSE'])(
    'include %s',
    (name) => {
      expect(files).toContain(name);
    },
  );

  it('link to files and headings that exist', () => {
    const broken = documents.flatMap((path) =>
      [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(path, target))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only commands that package.json has', () => {
    const builtIn = ['start', 'test'];
    const unknown = documents.flatMap((path) =>
      [...read(path).matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in manifest.scripts))
        .map((name) => `${path}: npm ${builtIn.includes(name) ? name : `run ${name}`}`),
    );
    expect(unknown).toEqual([]);
  });

  it('and package.json name only existing scripts', () => {
    const programs = Object.values(manifest.scripts).flatMap(
      (command) => command.match(/scripts\/[\w./-]+/g) ?? [],
    );
    expect(programs.filter((path) => !files.includes(path))).toEqual([]);
    expect(programs).not.toEqual([]);
  });
});

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const to = path === '' ? from : normalize(join(dirname(from), decodeURI(path)));
  if (!existsSync(join(root, to))) return false;
  return anchor === undefined || !to.endsWith('.md') || headings(read(to)).includes(anchor);
}

/** The anchors of a document's headings, as GitHub and most renderers make them. */
function headings(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
