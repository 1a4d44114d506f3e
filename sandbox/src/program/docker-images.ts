import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allImages, findImage, type Image, nameImage, removeImage } from '../deploy/images.ts';
import type { Write } from '../machine/call.ts';
import { idOfCode } from '../machine/inspect-container.ts';
import type { State } from '../machine/state.ts';
import { render } from './render-template.ts';

/** What every image of the sandbox weighs. */
const sizeBytes = 412_000_000;

type Asked = { write: Write; state: State };

/** `docker image <verb>` */
export function dockerImage(asked: Asked, [verb = '', ...words]: readonly string[]): number {
  if (verb === 'ls') return list(asked, words);
  if (verb === 'inspect') return inspect(asked, words);
  if (verb === 'tag') return tag(asked, words);
  if (verb === 'rm') return remove(asked, words);
  asked.write(2, `docker: 'image ${verb}' is not a docker command of this sandbox.\n`);
  return 1;
}

/**
 * `docker build`: a child of one image, with labels and perhaps with files that the sandbox does not look at. The Dockerfile comes from
 * stdin (`-`) or lies in the folder.
 */
export async function build(
  { write, state }: Asked,
  words: readonly string[],
  stdin: () => Promise<string | null>,
): Promise<number> {
  const place = words.at(-1) ?? '';
  const dockerfile = place === '-' ? ((await stdin()) ?? '') : textIn(place);
  const lines = dockerfile.split('\n').filter((line) => line !== '');
  const parent = findImage(state, lines[0]?.startsWith('FROM ') ? lines[0].slice('FROM '.length) : '');
  const missing = lines.slice(1).find((line) => !copies(line, place));
  const name = valuesOf(words, '--tag')[0];
  if (
    !parent ||
    missing !== undefined ||
    name === undefined ||
    existsSync(state.paths.fault('docker-build'))
  ) {
    write(2, 'The command failed to build an image.\n');
    return 1;
  }
  const labels = Object.fromEntries(
    valuesOf(words, '--label').map((word) => {
      const at = word.indexOf('=');
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
  const id = `sha256:${randomBytes(32).toString('hex')}`;
  nameImage(state, { ...parent, id, name, labels: { ...parent.labels, ...labels } });
  write(1, `${id}\n`);
  return 0;
}

const textIn = (folder: string) =>
  existsSync(join(folder, 'Dockerfile')) ? readFileSync(join(folder, 'Dockerfile'), 'utf8') : '';

/** `COPY --chown=<user> <file>… <folder>/`, of files that are there. */
function copies(line: string, folder: string): boolean {
  const [word, owner, ...files] = line.split(' ');
  return (
    word === 'COPY' &&
    owner?.startsWith('--chown=') === true &&
    files.slice(0, -1).every((file) => existsSync(join(folder, file)))
  );
}

/** `docker image ls <repository>`, newest first. */
function list({ write, state }: Asked, words: readonly string[]): number {
  const [format = '{{.ID}}'] = valuesOf(words, '--format');
  const repository = words.at(-1);
  for (const { id, name } of allImages(state)) {
    const at = name.lastIndexOf(':');
    if (name.slice(0, at) === repository)
      write(1, `${render(format, { ID: id, Repository: repository, Tag: name.slice(at + 1) })}\n`);
  }
  return 0;
}

function inspect({ write, state }: Asked, words: readonly string[]): number {
  const [format = '{{json .}}'] = valuesOf(words, '--format');
  const names = words.filter((word, at) => !word.startsWith('-') && words[at - 1] !== '--format');
  const found = names.map((name) => findImage(state, name));
  for (const image of found) if (image) write(1, `${render(format, fieldsOf(state, image))}\n`);
  const missing = names.filter((_name, at) => !found[at]);
  for (const name of missing) write(2, `Error response from daemon: No such image: ${name}\n`);
  return missing.length > 0 ? 1 : 0;
}

const fieldsOf = (state: State, image: Image) => ({
  ...{ Id: image.id, Size: sizeBytes },
  RootFS: { Layers: [idOfCode(`${image.app}/${image.version.code}`)] },
  Config: {
    ...{ Labels: image.labels, User: 'herokuishuser' },
    OnBuild: existsSync(state.paths.fault('on-build')) ? ['RUN true'] : null,
  },
});

function tag({ write, state }: Asked, [from = '', name = '']: readonly string[]): number {
  const image = findImage(state, from);
  if (image) nameImage(state, { ...image, name });
  else write(2, `Error response from daemon: No such image: ${from}\n`);
  return image ? 0 : 1;
}

function remove({ write, state }: Asked, [name = '']: readonly string[]): number {
  if (removeImage(state, name)) {
    write(1, `Untagged: ${name}\n`);
    return 0;
  }
  write(2, `Error response from daemon: No such image: ${name}\n`);
  return 1;
}

const valuesOf = (words: readonly string[], flag: string) =>
  words.filter((_word, at) => words[at - 1] === flag);
