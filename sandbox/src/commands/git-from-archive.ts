import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildAndDeploy } from '../deploy/deploy.ts';
import { type Call, Exit, type SandboxCommand } from '../machine/call.ts';
import { commitOf, ensureRepository, gitEnvironment } from '../machine/repository.ts';

/** Dokku's own bounds (`git:report`: archive-max-size, archive-max-files). */
const mostBytes = 1024 ** 3;
const mostFiles = 10_000;

/** Commits the files of an archive on top of the app's repository, and deploys them. The sandbox takes a tar file from stdin only. */
export const gitFromArchive: SandboxCommand = {
  name: 'git:from-archive',
  run: async (call) => {
    const at = call.words.indexOf('--archive-type');
    const type = at < 0 ? 'tar' : (call.words[at + 1] ?? '');
    const words = call.words.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
    const [name, address = '', author = 'Dokku'] = words;
    const app = call.app(name);
    if (address === '') call.fail('Please specify an archive url or -- to fetch the archive from stdin');
    if (address !== '--' || (type !== 'tar' && type !== 'tar.gz'))
      return call.fail('The sandbox takes a tar or tar.gz file from stdin only');
    call.mergeInto(null);
    const folder = mkdtempSync(join(tmpdir(), `dokku-${process.pid}-trigger-git-git-from-archive.`));
    try {
      const files = await extract(call, folder, type);
      const before = commitOf(call.state.paths, app.name, app.deployBranch || 'master');
      const commit = commitFiles(call, { app: app.name, files, folder, author });
      await deploy(call, app.name, { before, commit, type });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Returns the folder that holds the files. */
async function extract(call: Call, folder: string, type: 'tar' | 'tar.gz'): Promise<string> {
  const archive = join(folder, `src.${type}`);
  const files = join(folder, 'files');
  mkdirSync(files);
  call.say(`Fetching ${type} file from stdin`);
  await pipeline(process.stdin, createWriteStream(archive));
  call.out(String(statSync(archive).size));
  call.say('Generating build context');
  const unzip = type === 'tar.gz' ? ['-z'] : [];
  const list = run('tar', [...unzip, '-tf', archive]);
  if (type === 'tar') {
    call.write(1, list.stderr);
    call.detail(`Striping ${commonFolders(list.stdout)} worth of directories from tarball`);
  } else call.detail('Extracting gzipped tarball');
  refuse(call, { archive, list });
  const strip = type === 'tar' ? [`--strip-components=${commonFolders(list.stdout)}`] : [];
  const about = `user=${call.as} event=<event> archive_type=${type} source=${archive} details=dest=${files}`;
  const tell = (event: string) =>
    call.err(
      `[archive-security] timestamp=${new Date().toISOString().replace(/\.\d+/, '')} ${about.replace('<event>', event)}`,
    );
  tell('extraction_started');
  const done = run('tar', ['-x', ...unzip, '-C', files, '-f', archive, ...strip]);
  call.write(2, done.stderr);
  if (done.status !== 0) throw new Exit(done.status ?? 2);
  tell('extraction_completed');
  return withoutTop(call, files);
}

/** Dokku looks at the list before it extracts anything. A damaged archive ends it here, without a word of its own. */
function refuse(call: Call, { archive, list }: { archive: string; list: SpawnSyncReturns<string> }): void {
  if (statSync(archive).size > mostBytes)
    call.fail(`Archive exceeds maximum allowed size of ${mostBytes} bytes`);
  if (list.status !== 0) throw new Exit(list.status ?? 2);
  const names = list.stdout.split('\n').filter((name) => name !== '');
  if (names.length > mostFiles)
    call.fail(`Archive contains ${names.length} entries which exceeds the maximum of ${mostFiles}`);
  if (names.some((name) => name.startsWith('/'))) call.fail('Archive contains entries with absolute paths');
  if (names.some((name) => name.split('/').includes('..')))
    call.fail('Archive contains entries with parent directory traversal');
}

/** The folders that all names of a list begin with, counted. */
function commonFolders(list: string): number {
  const [first = '', ...names] = list.split('\n').filter((name) => name !== '');
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return names.length === 0 ? 0 : first.slice(0, length).split('/').length - 1;
}

function withoutTop(call: Call, files: string): string {
  const [only, ...more] = readdirSync(files, { withFileTypes: true });
  if (only?.isDirectory() && more.length === 0) {
    call.detail('Stripping top-level archive folder components');
    return join(files, only.name);
  }
  call.detail('Moving unarchived files and folders into place');
  return files;
}

type Found = { app: string; files: string; folder: string; author: string };

/** Returns the new commit on the deploy branch, whose parent is the one before. */
function commitFiles(call: Call, { app, files, folder, author }: Found): string {
  const branch = call.app(app).deployBranch || 'master';
  call.say('Updating git repository with specified build context');
  const repository = ensureRepository(call.state.paths, app);
  const before = commitOf(call.state.paths, app, branch);
  // Dokku’s script passes the name on as the address too.
  const who = [
    '-c',
    `user.name=${author}`,
    '-c',
    `user.email=${author === 'Dokku' ? 'automated@dokku.sh' : author}`,
  ];
  const git = (...words: string[]) => {
    const env = { ...gitEnvironment(), GIT_INDEX_FILE: join(folder, 'index') };
    const ran = run('git', [`--git-dir=${repository}`, `--work-tree=${files}`, ...who, ...words], env);
    if (ran.status !== 0) call.fail(ran.stderr.trim(), ran.status ?? 128);
    return ran.stdout.trim();
  };
  if (before !== null) git('read-tree', before);
  git('add', '--all');
  const tree = git('write-tree');
  if (before !== null && tree === git('rev-parse', `${before}^{tree}`)) {
    call.warn('No changes detected, skipping git commit');
    call.warn("Call 'ps:rebuild' on app to rebuild the app from existing source");
    throw new Exit(1);
  }
  const words =
    before === null
      ? ['-m', 'Initial commit']
      : ['-p', before, '-m', `Automated commit @ ${Math.floor(Date.now() / 1_000)}`];
  const commit = git('commit-tree', tree, ...words);
  git('update-ref', `refs/heads/${branch}`, commit);
  if (before === null) {
    call.detail(`Detected branch, setting deploy-branch to ${branch}`);
    call.state.changeApp(app, (next) => {
      next.deployBranch = branch;
    });
  } else {
    call.out(`From ${folder.replace('from-archive', 'from-directory')}`);
    call.out(`   ${before.slice(0, 7)}..${commit.slice(0, 7)}  ${branch.padEnd(10)} -> ${branch}`);
  }
  return commit;
}

/** After a failed deploy Dokku puts the branch back, so that the same archive is news again. */
async function deploy(
  call: Call,
  app: string,
  { before, commit, type }: { before: string | null; commit: string; type: string },
): Promise<void> {
  try {
    const told = { source: type, metadata: '--' };
    await buildAndDeploy(call, app, commit, { source: 'git:from-archive', told });
  } catch (error) {
    const branch = `refs/heads/${call.app(app).deployBranch || 'master'}`;
    const back = before === null ? ['-d', branch] : [branch, before];
    run('git', [`--git-dir=${call.state.paths.repository(app)}`, 'update-ref', ...back], gitEnvironment());
    throw error;
  }
}

const run = (file: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(file, words, { encoding: 'utf8', env: { ...env, LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 });
