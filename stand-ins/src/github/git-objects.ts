import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';

/** Loose objects of git as its dumb protocol serves them, by name (gitformat-loose(5), git-http-backend(1)). */
export type GitObjects = Map<string, Buffer>;

export type NewCommit = {
  /** The text of each file, by its path. */
  files: ReadonlyMap<string, string>;
  message: string;
  author: string;
  parent: string | null;
  at: number;
};

/** Adds a commit with all of its files. Returns its name. */
export function putCommit(objects: GitObjects, { files, message, author, parent, at }: NewCommit): string {
  const by = `${author} <${author}@example.com> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${putTree(objects, [...files])}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${by}`,
    `committer ${by}`,
    '',
    `${message}\n`,
  ];
  return put(objects, 'commit', Buffer.from(lines.join('\n')));
}

/** Git sorts a folder as if its name ended with a slash. */
function putTree(objects: GitObjects, files: readonly (readonly [string, string])[]): string {
  const folders = new Map<string, (readonly [string, string])[]>();
  const entries: { mode: string; name: string; sha: string }[] = [];
  for (const [path, text] of files) {
    const [first = '', ...rest] = path.split('/');
    if (rest.length === 0) entries.push({ mode: '100644', name: first, sha: put(objects, 'blob', text) });
    else folders.set(first, [...(folders.get(first) ?? []), [rest.join('/'), text]]);
  }
  for (const [name, inside] of folders) entries.push({ mode: '40000', name, sha: putTree(objects, inside) });
  const order = ({ mode, name }: { mode: string; name: string }) => (mode === '40000' ? `${name}/` : name);
  entries.sort((a, b) => Buffer.compare(Buffer.from(order(a)), Buffer.from(order(b))));
  const parts = entries.flatMap(({ mode, name, sha }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(sha, 'hex'),
  ]);
  return put(objects, 'tree', Buffer.concat(parts));
}

function put(objects: GitObjects, kind: 'blob' | 'tree' | 'commit', content: Buffer | string): string {
  const bytes = Buffer.from(content);
  const whole = Buffer.concat([Buffer.from(`${kind} ${bytes.length}\0`), bytes]);
  const name = createHash('sha1').update(whole).digest('hex');
  objects.set(name, deflateSync(whole));
  return name;
}

/** The files of a commit, by their paths. */
export function filesOf(objects: GitObjects, commit: string): [string, Buffer][] {
  const [, tree = ''] = /^tree ([0-9a-f]{40})\n/.exec(contentOf(objects, commit).toString()) ?? [];
  return filesIn(objects, tree, '');
}

function filesIn(objects: GitObjects, tree: string, folder: string): [string, Buffer][] {
  const files: [string, Buffer][] = [];
  let rest = contentOf(objects, tree);
  while (rest.length > 0) {
    const end = rest.indexOf(0);
    const [mode, name = ''] = rest.subarray(0, end).toString().split(' ');
    const sha = rest.subarray(end + 1, end + 21).toString('hex');
    if (mode === '40000') files.push(...filesIn(objects, sha, `${folder}${name}/`));
    else files.push([folder + name, contentOf(objects, sha)]);
    rest = rest.subarray(end + 21);
  }
  return files;
}

/** Without the kind and the length before it. */
function contentOf(objects: GitObjects, name: string): Buffer {
  const whole = objects.get(name);
  if (!whole) throw new Error(`There is no object ${name}.`);
  const bytes = inflateSync(whole);
  return bytes.subarray(bytes.indexOf(0) + 1);
}
