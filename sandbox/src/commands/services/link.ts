import { setConfig, unsetConfig } from '../../deploy/config.ts';
import { usualAlias } from '../../services/kinds.ts';
import { changeService, dsnOf } from '../../services/service.ts';
import { configLines, flagsIn, freeAlias, requireApp, requireService, type ServiceVerb } from './words.ts';

export const link: ServiceVerb = async (call, kind) => {
  const [name, appName, ...words] = call.typed;
  if (!name) call.fail('Please specify a valid name for the service');
  const app = requireApp(call, appName);
  const service = requireService(call, kind, name);
  const flags = flagsIn(words);
  const lines = configLines(app);
  const isTaken = (alias: string) => lines.some(({ line }) => line.includes(`${alias}_URL`));
  const wanted = flags.get('--alias')?.toUpperCase().replace(/_URL$/, '');
  if (wanted && isTaken(wanted)) call.fail(`Specified alias ${wanted} already in use`);
  const usual = usualAlias(kind);
  const alias = wanted || (isTaken(usual) ? freeAlias(kind, lines) : usual);
  if (!alias) call.fail('Unable to use default or generated URL alias');
  const dsn = dsnOf(service);
  const holding = lines.filter(({ line }) => line.includes(dsn)).map(({ key }) => key);
  if (holding.length > 0) call.fail(`Already linked as ${holding.join('\n')}`);
  changeService(call.state.paths, service, { links: [...service.links, app.name] });
  const noRestart = flags.has('--no-restart');
  await setConfig(call, app.name, new Map([[`${alias}_URL`, dsn]]), noRestart);
  if (noRestart) call.detail('Skipping restart of linked app');
};

/** Takes the link away even where it then fails, because no variable holds the connection string any more. */
export const unlink: ServiceVerb = async (call, kind) => {
  const [name, appName, ...words] = call.typed;
  if (!name) call.fail('Please specify a valid name for the service');
  if (!appName) call.fail('Please specify an app to run the command on');
  const service = requireService(call, kind, name);
  const app = requireApp(call, appName);
  const dsn = dsnOf(service);
  changeService(call.state.paths, service, { links: service.links.filter((other) => other !== app.name) });
  const holding = configLines(app).filter(({ line }) => line.includes(dsn));
  if (holding.length === 0) call.fail(`Not linked to app ${app.name}`);
  const noRestart = flagsIn(words).has('--no-restart');
  await unsetConfig(
    call,
    app.name,
    holding.map(({ key }) => key),
    noRestart,
  );
  if (noRestart) call.detail('Skipping restart of linked app');
};

/** Restarts the app: the plugins have no flag for it. */
export const promote: ServiceVerb = async (call, kind) => {
  const [name, appName] = call.typed;
  if (!name) call.fail('Please specify a valid name for the service');
  if (!appName) call.fail('Please specify an app to run the command on');
  const service = requireService(call, kind, name);
  const app = requireApp(call, appName);
  const variable = `${usualAlias(kind)}_URL`;
  const lines = configLines(app);
  const holding = lines.filter(({ line }) => line.includes(dsnOf(service))).map(({ key }) => key);
  if (holding.length === 0) call.fail(`Not linked to app ${app.name}`);
  if (holding.some((key) => key.includes(variable)))
    call.fail(`Service ${name} already promoted as ${variable}`);
  const values = new Map<string, string>();
  const previous = app.config[variable];
  if (previous !== undefined && !isHeldElsewhere(previous)) {
    const alias = freeAlias(kind, lines);
    if (alias) values.set(`${alias}_URL`, previous);
  }
  values.set(variable, app.config[holding[0] ?? ''] ?? '');
  await setConfig(call, app.name, values, false);

  function isHeldElsewhere(dsn: string): boolean {
    return lines.some(({ key, line }) => !key.includes(variable) && line.includes(dsn));
  }
};

export const links: ServiceVerb = (call, kind) => {
  for (const app of requireService(call, kind, call.typed[0]).links) call.out(app);
};

export const linked: ServiceVerb = (call, kind) => {
  const [name, appName] = call.typed;
  if (!name) call.fail('Please specify a valid name for the service');
  const app = requireApp(call, appName);
  const service = requireService(call, kind, name);
  if (!service.links.includes(app.name)) call.fail(`Service ${name} is not linked to ${app.name}`);
  call.say(`Service ${name} is linked to ${app.name}`);
};
