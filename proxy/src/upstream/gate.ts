import * as egress from '@homeport/egress';

export type GateSettings = {
  /** Networks that may be reached although they are not public. */
  allowPrivate: readonly string[];
  /** Ports of this machine that belong to the console, and its own names. */
  own: { ports: readonly number[]; names: readonly string[] };
};

/** The gate before upstreams. Of a name with several addresses the allowed ones are tried, as a browser does. */
export function createGate({ allowPrivate, own }: GateSettings, resolve?: egress.ResolveAll): egress.Gate {
  const rules = { exceptions: allowPrivate, openOwnPorts: egress.websitePorts, console: own };
  return egress.createGate({ ...rules, mixedName: 'drop' }, resolve);
}
