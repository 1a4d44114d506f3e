import { type Command, flagsOf, flagText, plainHttpFlag, usageOf, usualFlags } from './commands/command.ts';
import { commands } from './commands/table.ts';
import { variables } from './environment.ts';
import { exitCodes } from './exit-codes.ts';

/** docs/cli.md. */
export function commandsPage(): string {
  return [
    '# Homeport in a terminal',
    '',
    '<!-- Made from cli/src/commands/table.ts by `npx tsx scripts/document-settings.ts`. -->',
    '',
    ...begin,
    '## Commands',
    '',
    '| Command | What it does | With `--json` |',
    '| --- | --- | --- |',
    ...commands.map((each) => `| \`homeport ${usageOf(each)}\` | ${each.summary} | ${each.json} |`),
    '',
    '| Flag | Of | What it does |',
    '| --- | --- | --- |',
    ...commands.flatMap((command) => ownFlags(command)),
    `| \`--${plainHttpFlag.name}\` | what talks to a console | ${plainHttpFlag.purpose} |`,
    ...usualFlags.map((flag) => `| \`${flagText(flag)}\` | each command | ${flag.purpose} |`),
    '',
    ...sshAgent,
    ...output,
    '| Code | Means |',
    '| --- | --- |',
    ...Object.entries(exitMeanings).map(
      ([name, meaning]) => `| ${exitCodes[name as keyof typeof exitCodes]} | ${meaning} |`,
    ),
    '',
    '## Variables and files',
    '',
    '| Variable | What it does |',
    '| --- | --- |',
    ...Object.entries(variables).map(([name, purpose]) => `| \`${name}\` | ${purpose} |`),
    '',
    ...files,
  ].join('\n');
}

function ownFlags(command: Command): string[] {
  const usual = [plainHttpFlag, ...usualFlags];
  return flagsOf(command)
    .filter((flag) => !usual.includes(flag))
    .map((flag) => `| \`${flagText(flag)}\` | \`${command.words.join(' ')}\` | ${flag.purpose} |`);
}

const begin = [
  'The program `homeport` of this page reads a console from a terminal: what runs, what failed, how an operation goes on. Scripts',
  'read the same as JSON. It calls the API with a token of your profile, so it may do what that token may do. It reads an app’s log,',
  'and deploys, starts, stops and restarts the app, with your own SSH agent. It proposes other changes, and you approve them in the browser.',
  '',
  'It needs Node 20.20 or later and nothing else. A console never hands it out: a console that runs foreign code would otherwise own',
  'your terminal.',
  '',
  '## The first hour',
  '',
  '1. Get it. In a clone of Homeport:',
  '',
  '   ```sh',
  '   npm ci',
  '   npm run build -- cli',
  '   alias homeport="node $PWD/cli/dist/homeport.js"',
  '   ```',
  '',
  '   Or from the release, which holds it as a package of npm: `npm install --global ./homeport-terminal-<version>.tgz`.',
  '2. `homeport login https://console.example.com` shows a code of eight letters. Open the page `/device` of your console in a browser where',
  '   you are signed in, type the code, compare the machine, and approve. This machine then has a token of its own. Approve no code that',
  '   somebody sent you.',
  '3. Scripts have no person who types: make a token under *Programs* of your profile, and pipe it in (`homeport login … --token-stdin`), or',
  '   set `HOMEPORT_TOKEN` for each command. The token is never an argument: arguments stand in the shell’s history and in the list of',
  '   processes. *Read* of servers, apps, databases, operations and stats is enough for each command of the table but `api`.',
  '4. `homeport status` says what runs and what waits. `homeport apps`, and then `homeport app blog`.',
  '5. `homeport status` names the work that runs with its id, also of a deploy that began in the browser. `homeport op watch ID` follows it and',
  '   ends with 0 if it succeeded.',
  '6. `homeport events --json` prints a line for each change that the token may read, for programs that would otherwise ask again and',
  '   again. A line names a record; read the record to learn what changed.',
  '7. `homeport logs blog -f` follows the log of an app, `homeport restart blog` restarts it, and `homeport deploy blog` deploys its linked repository. The key of its server has to be in your SSH agent (`ssh-add -l`): see',
  '   [your SSH agent](#your-ssh-agent).',
  '8. `homeport propose restart blog --why "It answers slowly."` shows the commands and an address of your console. Open it in the browser that',
  '   holds your SSH key, and approve or decline; the command waits and ends with 0 or 3.',
  '9. A coding agent on this machine reads the console by `homeport mcp`, with a token of its own: [coding agents](mcp.md).',
  '10. `source <(homeport completion bash)` in your `~/.bashrc` completes commands and flags. In fish: `homeport completion fish | source`.',
  '',
];

const sshAgent = [
  '## Your SSH agent',
  '',
  'The log of an app stands on its server, and there it is built and restarted. `homeport logs`, `deploy`, `start`, `stop` and `restart` have the console open a connection',
  'to it, and your own SSH agent signs the login: the console never has the key. The command logs in as the account `homeport`, which the console made for itself, and as no other.',
  'It opens one connection and closes it at its end, and after Ctrl-C the console closes it 5 minutes after the work that goes on; six a minute go to one server, and a first contact takes two of them.',
  '',
  '- **The key** is the one that the server accepts in the console. A key that you imported into the browser is in your files already:',
  '  `ssh-add ~/.ssh/id_ed25519`. A key that was made in the browser leaves it under *Credentials*, with *Export*. Ed25519, ECDSA and RSA;',
  '  keys of a security key (`sk-…`) are not supported.',
  '- **The host key** is looked up in your `~/.ssh/known_hosts`. Where that does not have it, you are asked once, as ssh asks; where nobody can be',
  '  asked, name it with `--host-key SHA256:…`. What you accepted stands in `$XDG_STATE_HOME/homeport/trust` (`~/.local/state/homeport`), a file for each server, which is not used while',
  '  others may read it. A changed key is accepted in the browser first.',
  '- **Which server**: where the console names a server, its address or its key in another way than when you accepted it, or shows the host key of',
  '  another server, you are asked again. A console that lies could lead the command to another one of your servers.',
  '- **To be asked each time**, add the key with `ssh-add -c`. **To bind it to one server**, so that not even a wrong console gets a signature for another:',
  '  `ssh-add -H ~/.ssh/known_hosts -h homeport@203.0.113.7 ~/.ssh/id_ed25519`.',
  '- **A deploy** takes the repository and, without `--ref`, the branch that are linked to the app; only a browser links another. The server fetches a public repository, and the console passes the',
  '  archive of a private one on, with your linked GitHub account. What makes a deploy key needs the browser. The build’s log goes to standard error.',
  '- **An agent that you forwarded** to the machine where you type is used only with `--forwarded-agent`: whoever is root there could use it, too.',
  '- A server older than OpenSSH 8.9, one without the account `homeport`, and every other change need the browser.',
  '- Of two consoles behind one front, the front has to lead a command to one of them, for example by its address: a connection belongs to one console.',
  '',
];

const output = [
  '## Output and exit codes',
  '',
  'Data goes to standard output; progress, questions and problems go to standard error. A terminal gets columns with headings. A pipe gets',
  'fields between tabs, without headings. `--json` prints the API’s own answer, which `/api/openapi.json` describes; a problem is then',
  'the API’s own, too. A stream is one event a line.',
  '',
  'Names and messages of servers and apps are other people’s text. What a terminal would obey in it is replaced by `\ufffd`; in JSON it is',
  'spelled out (`\\u001b`), so that programs read the same value.',
  '',
  'Nothing is asked where nobody can answer: the command ends with 6 and says how to answer without a question. Ctrl-C stops watching',
  'and cancels nothing.',
  '',
];

const files = [
  'A console refuses to start where one of these is set, because each other `HOMEPORT_` variable is a setting of the console.',
  '',
  '`login` writes two files into `$XDG_CONFIG_HOME/homeport` (`~/.config/homeport`), a folder that only you may enter: `config.json` with the addresses,',
  'and `credentials.json` (mode 0600) with a token for each console, and one of your coding agents where you kept it with `--agent`. A',
  '`credentials.json` that others may read is not used. `logout` removes the tokens; revoke them on your profile to end them.',
  '',
  '`logs`, `deploy`, `start`, `stop` and `restart` write a folder `trust` with the host keys that you accepted, and a folder `signed` with an empty file for each SSH session that was signed, so that none is',
  'signed twice.',
  '',
  'A token goes to the address for which it was kept and nowhere else: redirects are not followed. Over http it goes only to this machine, or',
  'to a console that you allowed with `--plain-http`; `login` keeps that choice for the next commands.',
  '',
];

const exitMeanings: Record<keyof typeof exitCodes, string> = {
  good: 'Done.',
  failed: 'Failed: an error of the console, no answer, or an answer that cannot be right.',
  usage: 'The command line or a value in it is wrong.',
  declined: 'Somebody declined or cancelled.',
  notAllowed: 'Not signed in, or the token may not do this.',
  refused: 'The server refused, or the operation failed.',
  waits: 'Waits for a person, or `--timeout` has passed.',
  conflict: 'Something is in the way: another change, running work, or a limit.',
  notFound: 'There is no such record.',
  hostKey: 'The host key of a server is not the expected one.',
  interrupted: 'Ctrl-C.',
};
