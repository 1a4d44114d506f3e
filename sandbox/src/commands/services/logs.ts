import { containerOf, filesOf, stateOf } from '../../machine/containers.ts';
import { readText } from '../../machine/files.ts';
import { follow } from '../../machine/follow.ts';
import { requireService, type ServiceVerb } from './words.ts';

/** Takes any second word before the number of lines, and follows for `-t` and `--tail` only. */
export const logs: ServiceVerb = async (call, kind) => {
  const [name, flag, count = 'all'] = call.typed;
  const service = requireService(call, kind, name);
  const { paths } = call.state;
  const container = containerOf(paths, service.containerId) ?? call.fail('Service container does not exist');
  const runs = stateOf(paths, container.id)?.status === 'running';
  if (!runs) call.warn('Service logs may not be output as service is not running');
  const path = filesOf(paths, container.id).log;
  const text = readText(path) ?? '';
  const file = { path, from: text.lastIndexOf('\n') + 1 };
  const print = (line: string) => call.out(line.slice(line.indexOf(' ') + 1));
  const lines = text.slice(0, file.from).split('\n').slice(0, -1);
  for (const line of /^\d+$/.test(count) ? lines.slice(-Number(count) || lines.length) : lines) print(line);
  if ((flag === '-t' || flag === '--tail') && runs) await follow(paths, [file], print);
};
