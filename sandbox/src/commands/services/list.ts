import { serviceNames, serviceOf } from '../../services/service.ts';
import { requireApp, requireService, type ServiceVerb } from './words.ts';

/** Ignores every word behind it. */
export const list: ServiceVerb = (call, kind) => {
  const names = serviceNames(call.state.paths, kind);
  if (names.length === 0) return call.warn(`There are no ${kind.title} services`);
  call.title(`${kind.title} services`);
  for (const name of names) call.out(name);
};

export const exists: ServiceVerb = (call, kind) => {
  const { name } = requireService(call, kind, call.typed[0]);
  call.say(`Service ${name} exists`);
};

export const appLinks: ServiceVerb = (call, kind) => {
  const app = requireApp(call, call.typed[0]);
  const { paths } = call.state;
  for (const name of serviceNames(paths, kind))
    if (serviceOf(paths, kind, name)?.links.includes(app.name)) call.out(name);
};
