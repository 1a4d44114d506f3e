import type { SandboxCommand } from '../machine/call.ts';
import { filesOf, stateOf } from '../machine/containers.ts';
import { readText } from '../machine/files.ts';
import { readFlags, usageError } from '../machine/flags.ts';
import { follow } from '../machine/follow.ts';

const usage = `  -h, --help        print help for the command
  -n, --num int     the number of lines to display (default 100)
  -p, --ps string   only display logs from the given process
  -q, --quiet       display raw logs without colors, time and names
  -t, --tail        continually stream logs`;

/** A container's colour depends on its place in the list, not on its process. */
const colours = [36, 33, 32, 35, 31];

export const logs: SandboxCommand = {
  name: 'logs',
  run: async (call) => {
    const rules = {
      num: { value: true, short: 'n' },
      ps: { value: true, short: 'p' },
      tail: { value: false, short: 't' },
    };
    const { flags, plain } = readFlags(call, rules, usage);
    const num = flags.get('num') ?? '100';
    if (!/^-?\d+$/.test(num)) {
      usageError(
        call,
        `invalid argument "${num}" for "-n, --num" flag: strconv.ParseInt: parsing "${num}": invalid syntax`,
        usage,
      );
    }
    const app = call.app(plain[0]);
    if (app.deployedAtSeconds === null) call.fail(`App ${app.name} has not been deployed`);
    const wanted = flags.get('ps');
    const read = Object.entries(app.containers).filter(
      ([process]) => wanted === undefined || process.split('.')[0] === wanted,
    );
    const ids = read.map(([, id]) => id);
    const sources = read.map(([process, id], at) => {
      const path = filesOf(call.state.paths, id).log;
      const text = readText(path) ?? '';
      return {
        process,
        path,
        colour: colours[at % colours.length],
        text,
        from: text.lastIndexOf('\n') + 1,
      };
    });
    const print = (line: string, source: { process: string; colour: number | undefined }) => {
      const at = line.indexOf(' ');
      if (call.quiet) call.out(line.slice(at + 1));
      else
        call.out(
          `\u001b[${source.colour}m${line.slice(0, at)} app[${source.process}]:\u001b[0m ${line.slice(at + 1)}`,
        );
    };
    for (const source of sources) {
      const lines = source.text.slice(0, source.from).split('\n').slice(0, -1);
      for (const line of lines.slice(-Number(num))) print(line, source);
    }
    // Docker ends the log of a container that has ended, followed or not.
    const goesOn = ids.some((id) => stateOf(call.state.paths, id)?.status !== 'exited');
    if (flags.has('tail') && goesOn) await follow(call.state.paths, sources, print);
  },
};
