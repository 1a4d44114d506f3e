import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { type Command, flagsOf } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The command whose scripts know all `others`, and the command itself. */
export function completionFor(others: readonly Command[]): Command {
  const command: Command = {
    words: ['completion'],
    args: [{ name: 'SHELL', oneOf: shells }],
    summary: 'Prints a script that completes commands and flags: `source <(homeport completion bash)`.',
    json: 'The shell and its script.',
    asksConsole: false,
    async run({ terminal, args, json }) {
      const shell = shells.find((each) => each === args.SHELL) ?? 'bash';
      const script = scripts[shell](situations([...others, command]));
      if (json) await printJson(terminal, JSON.stringify({ shell, script }));
      else await terminal.out(script);
      return exitCodes.good;
    },
  };
  return command;
}

/** The words that may come next after `before`, and the flags. */
type Situation = { before: string; words: string[]; flags: string[] };

function situations(commands: readonly Command[]): Situation[] {
  const found = new Map<string, Situation>();
  const at = (before: string): Situation => {
    const known = found.get(before) ?? { before, words: [], flags: [] };
    found.set(before, known);
    return known;
  };
  at('').flags.push('--help', '--version');
  for (const command of commands) {
    command.words.forEach((word, index) => {
      const { words } = at(command.words.slice(0, index).join(' '));
      if (!words.includes(word)) words.push(word);
    });
    const own = at(command.words.join(' '));
    own.flags.push(...flagsOf(command).map(({ name }) => `--${name}`));
    own.words.push(...(command.args?.[0]?.oneOf ?? []));
  }
  return [...found.values()];
}

/** Words that begin with a dash, and what stands before the cursor, are told apart by each script in its own language. */
const scripts: Record<Shell, (situations: readonly Situation[]) => string> = {
  bash: (all) => `_homeport() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] || before="\${before:+$before }$word"
  done
  local words=""
  case "$before" in
${all.map(({ before, words }) => `    '${before}') words="${words.join(' ')}" ;;`).join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    case "$before" in
${byLength(all)
  .map(({ before, flags }) => `      '${before}'${before && '*'}) words="${flags.join(' ')}" ;;`)
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _homeport homeport
`,
  zsh: (all) => `#compdef homeport
_homeport() {
  local before="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] || before="\${before:+$before }$word"
  done
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "$before" in
${byLength(all)
  .map(({ before, flags }) => `      '${before}'${before && '*'}) compadd -- ${flags.join(' ')} ;;`)
  .join('\n')}
    esac
    return
  fi
  case "$before" in
${all.map(({ before, words }) => `    '${before}') compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
}
compdef _homeport homeport
`,
  fish: (all) => `function __homeport_before
  set -l given (commandline -opc)
  string join ' ' -- (string match --invert -- '-*' $given[2..-1])
end
function __homeport_at
  set -l before (__homeport_before)
  test "$before" = "$argv[1]"
end
complete -c homeport -f
${all
  .flatMap(({ before, words, flags }) => [
    ...(words.length > 0
      ? [`complete -c homeport -n "__homeport_at '${before}'" -a '${words.join(' ')}'`]
      : []),
    ...flags.map((flag) => `complete -c homeport -n "__homeport_at '${before}'" -l ${flag.slice(2)}`),
  ])
  .join('\n')}
`,
};

/** `apps` before `app`, because a pattern of the shell takes what begins with it. */
const byLength = (all: readonly Situation[]) => all.toSorted((a, b) => b.before.length - a.before.length);
