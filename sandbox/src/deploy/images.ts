import { basename, join } from 'node:path';
import { allContainers } from '../machine/containers.ts';
import { readState, writeState } from '../machine/files.ts';
import { builtLabels, idOfCode, imageIdOf } from '../machine/inspect-container.ts';
import type { Paths } from '../machine/paths.ts';
import type { App, State } from '../machine/state.ts';

/** What an image of the sandbox holds in place of files: which code runs, and how. */
export type Version = Pick<App, 'code' | 'processes' | 'exposed'>;

export type Image = {
  id: string;
  /** `homeport.invalid/kept/ledger:0mf3…` */
  name: string;
  labels: Record<string, string>;
  /** The app whose code it holds. */
  app: string;
  version: Version;
};

const fileOf = ({ root }: Paths) => join(root, 'images.json');

/** The images that somebody built or tagged. The `latest` of an app's build is no row: it is the app's code. */
const rows = (paths: Paths) => readState<Image[]>(fileOf(paths)) ?? [];

export const latestOf = (app: string) => `dokku/${app}:latest`;

/** Every image, by name. */
export function allImages(state: State): Image[] {
  const latest = state.appNames().flatMap((name) => {
    const app = state.app(name);
    if (!app?.code) return [];
    const { code, processes, exposed = null } = app;
    const id = app.image?.id ?? idOfCode(state.paths.code(name, code));
    const labels = app.image?.labels ?? builtLabels(name);
    return [{ id, name: latestOf(name), labels, app: name, version: { code, processes, exposed } }];
  });
  return [...latest, ...rows(state.paths)];
}

/** By its name or id. An image that a container runs is there without a name as well. */
export const findImage = (state: State, word: string): Image | undefined =>
  allImages(state).find(({ id, name }) => name === word || id === word) ?? imageInUse(state, word);

function imageInUse(state: State, id: string): Image | undefined {
  const container = allContainers(state.paths).find((each) => !each.service && imageIdOf(each) === id);
  const app = container && state.app(container.app);
  if (!container || !app) return undefined;
  const { processes, exposed = null } = app;
  const labels = container.image?.labels ?? builtLabels(app.name);
  return {
    id,
    name: '',
    labels,
    app: app.name,
    version: { code: basename(container.folder), processes, exposed },
  };
}

/** Gives an image a name. The `latest` of an app is what its next deploy starts. */
export function nameImage(state: State, image: Image): void {
  const app = /^dokku\/([a-z0-9][a-z0-9._-]*):latest$/.exec(image.name)?.[1];
  if (app !== undefined && state.app(app)) {
    state.changeApp(app, (changed) => {
      Object.assign(changed, image.version);
      changed.image = { id: image.id, labels: image.labels };
    });
    return;
  }
  const others = rows(state.paths).filter(({ name }) => name !== image.name);
  writeState(fileOf(state.paths), [image, ...others]);
}

/** Whether there was such a name. */
export function removeImage(state: State, name: string): boolean {
  const before = rows(state.paths);
  const left = before.filter((image) => image.name !== name);
  if (left.length < before.length) writeState(fileOf(state.paths), left);
  return left.length < before.length;
}

/** As each build does: by the label with the app's name, whatever else an image is called. */
export function pruneImages(state: State, app: string): void {
  const before = rows(state.paths);
  const left = before.filter(({ labels }) => labels['com.dokku.app-name'] !== app);
  if (left.length < before.length) writeState(fileOf(state.paths), left);
}
