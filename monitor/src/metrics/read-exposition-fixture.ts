/** A strict reader of Prometheus’ text format 0.0.4, as its documentation of exposition formats has it. */
export type ReadMetric = {
  help: string;
  type: string;
  samples: { labels: Record<string, string>; value: number }[];
};

const nameOf = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const number = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/** @throws Error for everything that the format does not allow, and for what its linter calls a mistake */
export function readExposition(text: string): Map<string, ReadMetric> {
  const metrics = new Map<string, ReadMetric>();
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const lines = text.slice(0, -1).split('\n');
  const series = new Set<string>();
  let current: { name: string; metric: ReadMetric } | undefined;
  for (const line of lines) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(name)) throw new Error(`${name} has two groups.`);
      if (!nameOf.test(name) || rest === '') throw new Error(`Wrong HELP: ${line}`);
      unescaped(rest, '\\n');
      current = { name, metric: { help: rest, type: '', samples: [] } };
      metrics.set(name, current.metric);
    } else if (kind === 'TYPE') {
      if (current?.name !== name || current.metric.type !== '' || current.metric.samples.length > 0)
        throw new Error(`TYPE out of place: ${line}`);
      if (rest !== 'gauge' && rest !== 'counter') throw new Error(`Unknown type: ${line}`);
      if ((rest === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${rest}.`);
      current.metric.type = rest;
    } else {
      const sample = readSample(line);
      if (!current || current.metric.type === '' || sample.name !== current.name)
        throw new Error(`A sample out of its group: ${line}`);
      const id = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(id)) throw new Error(`A series twice: ${line}`);
      series.add(id);
      current.metric.samples.push({ labels: sample.labels, value: sample.value });
    }
  }
  for (const [name, { samples }] of metrics)
    if (samples.length === 0) throw new Error(`${name} has no sample.`);
  return metrics;
}

function readSample(line: string): { name: string; labels: Record<string, string>; value: number } {
  const begin = line.search(/[{ ]/);
  const name = line.slice(0, begin);
  if (!nameOf.test(name)) throw new Error(`Wrong name: ${line}`);
  const labels: Record<string, string> = {};
  let at = begin;
  if (line[at] === '{') {
    do {
      const equals = line.indexOf('="', at);
      const label = line.slice(at + 1, equals);
      if (equals < 0 || !labelName.test(label) || label in labels) throw new Error(`Wrong label: ${line}`);
      let end = equals + 2;
      while (line[end] !== '"') {
        if (end >= line.length) throw new Error(`A value without an end: ${line}`);
        end += line[end] === '\\' ? 2 : 1;
      }
      labels[label] = unescaped(line.slice(equals + 2, end), '\\n"');
      at = end + 1;
    } while (line[at] === ',');
    if (line[at] !== '}') throw new Error(`Labels without an end: ${line}`);
    at += 1;
  }
  const value = line.slice(at + 1);
  if (line[at] !== ' ' || !number.test(value)) throw new Error(`Wrong value: ${line}`);
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function unescaped(text: string, allowed: string): string {
  return text.replaceAll(/\\(.?)/gs, (_found, letter: string) => {
    if (letter === '' || !allowed.includes(letter)) throw new Error(`Wrong escape: ${text}`);
    return letter === 'n' ? '\n' : letter;
  });
}
