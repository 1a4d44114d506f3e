import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.replaceAll('\\', '/'),
);

interface Module {
  /** "ui/button/Button.module.css" */
  path: string;
  css: string;
  classes: ReadonlySet<string>;
}

/** One import of a module: its name in the file, and the classes that the file uses. */
interface Use {
  file: string;
  module: string;
  classes: ReadonlySet<string>;
  code: string;
  name: string;
}

const modules = files.filter((file) => file.endsWith('.module.css')).map(readModule);
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'));
const uses = sources.flatMap(readUses);

describe('the CSS Modules', () => {
  it('have every class that the code uses', () => {
    const known = new Map(modules.map(({ path, classes }) => [path, classes]));
    const missing = uses.flatMap(({ file, module, classes }) =>
      [...classes]
        .filter((name) => !known.get(module)?.has(name))
        .map((name) => `${file}: ${module} .${name}`),
    );
    expect(missing).toEqual([]);
  });
  it('have no class that no code uses', () => {
    const unused = modules.flatMap(({ path, classes }) => {
      const taken = new Set(uses.filter(({ module }) => module === path).flatMap((use) => [...use.classes]));
      return [...classes].filter((name) => !taken.has(name)).map((name) => `${path} .${name}`);
    });
    expect(unused).toEqual([]);
  });
  it('are used by class name only, so that the two tests above see each use', () => {
    const computed = uses.filter(({ code, name }) => new RegExp(`\\b${name}\\[`).test(code));
    expect(computed.map(({ file, name }) => `${file}: ${name}[…]`)).toEqual([]);
  });
  it('have unique file names, because a class is named after its file', () => {
    const names = modules.map(({ path }) => basename(path).toLowerCase());
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
  it('belong to one component if the name has a capital, else to their room; modules of ui/ are for all', () => {
    const foreign = uses.filter(({ file, module }) => {
      if (/^[A-Z]/.test(basename(module))) return !isBeside(file, module);
      return !module.startsWith('ui/') && file.split('/')[0] !== module.split('/')[0];
    });
    expect(foreign.map(({ file, module }) => `${file} imports ${module}`)).toEqual([]);
  });
  it('write into the layer of their place, so that a page wins over the library whatever loads first', () => {
    const allowed = (path: string) =>
      path.startsWith('ui/') ? ['base', 'components', 'narrow'] : ['pages', 'narrow'];
    const wrong = modules.flatMap(({ path, css }) =>
      [...css.matchAll(/@layer ([\w, ]+)/g)]
        .map(([, layer = '']) => layer.trim())
        .filter((layer) => !allowed(path).includes(layer))
        .map((layer) => `${path}: ${layer}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the code', () => {
  it('writes no class as text, because global styles have no classes', () => {
    const written = sources.filter((file) =>
      /className[=:] ?["'`{]["'`]?[a-z]+[\w -]*["'`]/.test(read(file)),
    );
    expect(written).toEqual([]);
  });
});

function readModule(path: string): Module {
  const css = read(path).replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '');
  const selectors = css.match(/[^{};]+(?=\{)/g) ?? [];
  const classes = selectors.flatMap((selector) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
  );
  return { path, css, classes: new Set(classes) };
}

function readUses(file: string): Use[] {
  const text = read(file);
  const code = text.replaceAll(/^import [\s\S]*?;$/gm, '');
  return [...text.matchAll(/import (?:(\w+) from )?'([^']+\.module\.css)'/g)].map(
    ([, name = '', from = '']) => {
      const taken = name === '' ? [] : code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'));
      return {
        file,
        module: relative(root, join(root, dirname(file), from)).replaceAll('\\', '/'),
        classes: new Set([...taken].map(([, each = '']) => each)),
        code,
        name: name === '' ? '(none)' : name,
      };
    },
  );
}

/** `Button.module.css` is for `Button.tsx` and for files beside it with the name in kebab case: `button-class.ts`. */
function isBeside(file: string, module: string): boolean {
  if (dirname(file) !== dirname(module)) return false;
  const component = basename(module, '.module.css');
  const stem = component.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return basename(file, '.tsx') === component || basename(file).startsWith(`${stem}-`);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
