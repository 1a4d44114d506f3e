import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../install.mjs';
import { evenModes, run, tarOptions } from './make-tree.mjs';

const sources = join(root, 'packaging');

/** Debian's names of processors (`dpkg-architecture -L`). @type {Readonly<Record<string, string>>} */
const architectures = { x64: 'amd64', arm64: 'arm64' };

/** @param {string} version a version of npm; a `-` begins what comes before a release, as `~` does in Debian */
const debianVersion = (version) => version.replace('-', '~');

/** @param {string} version @param {string} cpu @returns {string} such as `homeport_0.1.0_amd64.deb` */
export const debName = (version, cpu) =>
  `homeport_${debianVersion(version)}_${architectures[cpu] ?? cpu}.deb`;

/**
 * Makes a Debian package (deb(5)) of a release's tree: the tree with a Node of its own, the command, the unit and the file of settings. The
 * same tree gives the same bytes.
 *
 * @param {string} file the package to write
 * @param {{
 *   tree: string,
 *   node: { program: string, licence?: string },
 *   version: string,
 *   cpu: string,
 *   at: number,
 *   settings?: string,
 *   compress?: boolean,
 * }} from `at` is in epoch seconds, the time of each file; `settings` the text of the file of settings
 */
export function makeDeb(file, { tree, node, version, cpu, at, settings, compress = true }) {
  mkdirSync(dirname(file), { recursive: true });
  const work = mkdtempSync(`${file}.`);
  try {
    const data = join(work, 'data');
    const bytes = layOut(data, { tree, node, settings, version, at });
    const control = join(work, 'control');
    writeControl(control, data, { version, cpu, bytes });
    writeFileSync(join(work, 'debian-binary'), '2.0\n');
    writeFileSync(
      file,
      archive(
        [join(work, 'debian-binary'), packFolder(control, at, compress), packFolder(data, at, compress)],
        at,
      ),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The files as they lie on the machine. Returns their bytes.
 *
 * @param {string} data
 * @param {{
 *   tree: string,
 *   node: { program: string, licence?: string },
 *   settings: string | undefined,
 *   version: string,
 *   at: number,
 * }} from
 */
function layOut(
  data,
  { tree, node, version, at, settings = readFileSync(join(sources, 'homeport.env'), 'utf8') },
) {
  const program = join(data, 'usr/lib/homeport');
  mkdirSync(program, { recursive: true });
  cpSync(tree, program, { recursive: true, verbatimSymlinks: true });
  cpSync(node.program, join(program, 'bin/node'), { dereference: true });
  chmodSync(join(program, 'bin/node'), 0o755);
  if (node.licence !== undefined) cpSync(node.licence, join(program, 'bin/LICENSE-node'));

  mkdirSync(join(data, 'usr/bin'));
  // The program finds its tree by following the link.
  symlinkSync('../lib/homeport/bin/homeport', join(data, 'usr/bin/homeport'));
  put('usr/lib/systemd/system/homeport.service', readFileSync(join(sources, 'homeport.service')));
  put('usr/share/doc/homeport/copyright', readFileSync(join(sources, 'debian/copyright')));
  put('usr/share/doc/homeport/changelog.gz', gzipSync(changelog(version, at)));
  put('etc/homeport/homeport.env', settings);
  evenModes(data);
  return bytesBelow(data);

  /** @param {string} path @param {string | Uint8Array} content */
  function put(path, content) {
    mkdirSync(dirname(join(data, path)), { recursive: true });
    writeFileSync(join(data, path), content);
  }
}

/** In the form of deb-changelog(5). @param {string} version @param {number} at epoch seconds */
function changelog(version, at) {
  const [, maintainer] =
    /^Maintainer: (.*)$/m.exec(readFileSync(join(sources, 'debian/control'), 'utf8')) ?? [];
  return [
    `homeport (${debianVersion(version)}) unstable; urgency=medium`,
    '  * /usr/lib/homeport/CHANGELOG.md says what is new.',
    ` -- ${maintainer}  ${new Date(at * 1000).toUTCString().replace('GMT', '+0000')}`,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/**
 * What dpkg reads of the package (deb-control(5), deb-conffiles(5), deb-md5sums(5)), and the programs that it runs.
 *
 * @param {string} control @param {string} data @param {{ version: string, cpu: string, bytes: number }} about
 */
function writeControl(control, data, { version, cpu, bytes }) {
  mkdirSync(control);
  const values = {
    version: debianVersion(version),
    architecture: architectures[cpu] ?? cpu,
    size: String(Math.ceil(bytes / 1024)),
  };
  const template = readFileSync(join(sources, 'debian/control'), 'utf8');
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`@${name}@`, value),
    template,
  );
  writeFileSync(join(control, 'control'), filled);
  writeFileSync(join(control, 'conffiles'), '/etc/homeport/homeport.env\n');
  writeFileSync(join(control, 'md5sums'), sums(data));
  evenModes(control);
  for (const program of ['postinst', 'prerm', 'postrm']) {
    cpSync(join(sources, 'debian', program), join(control, program));
    chmodSync(join(control, program), 0o755);
  }
}

/** @param {string} folder @returns {string[]} paths from the folder */
function entriesBelow(folder) {
  return /** @type {string[]} */ (readdirSync(folder, { recursive: true })).sort();
}

/** @param {string} folder */
function bytesBelow(folder) {
  return entriesBelow(folder).reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0);
}

/** Settings are left out, because people change them. @param {string} data */
function sums(data) {
  return entriesBelow(data)
    .filter((path) => !path.startsWith('etc/') && lstatSync(join(data, path)).isFile())
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(data, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');
}

/** @param {string} folder @param {number} at @param {boolean} compress @returns {string} */
function packFolder(folder, at, compress) {
  const file = `${folder}.tar`;
  run('tar', ['--create', '--file', file, ...tarOptions(at), '--directory', folder, '.']);
  if (!compress) return file;
  // Two threads give the same bytes as more, and other bytes than one.
  run('xz', ['-6', '--threads=2', '--force', file]);
  return `${file}.xz`;
}

/** An archive of ar(5), with the short names that deb(5) takes. @param {readonly string[]} files @param {number} at */
function archive(files, at) {
  const parts = files.flatMap((file) => {
    const content = readFileSync(file);
    const name = file.slice(file.lastIndexOf('/') + 1);
    const header = [
      name.padEnd(16),
      String(at).padEnd(12),
      ...['0', '0'].map((id) => id.padEnd(6)),
      '100644'.padEnd(8),
      String(content.length).padEnd(10),
      '`\n',
    ].join('');
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 0 ? '' : '\n')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
