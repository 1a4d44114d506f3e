import { type InstallOptions, installWords } from './install-command.ts';
import { agentProgram, installProgram } from './programs.ts';

/** A heredoc in single quotes passes its lines on as they are. The programs hold no line like these. */
const installerEnd = 'END_OF_HOMEPORT_INSTALLER';
const agentEnd = 'END_OF_HOMEPORT_AGENT';

/**
 * The installer with the agent's program in it, for a machine that the console cannot log in to. It is a shell
 * script on standard input, and the server's token is the line after the script. Everything stands in functions, and
 * the last line calls them: a script that breaks off runs nothing.
 */
export const installScript = `homeport_installer() {
cat <<'${installerEnd}'
${installProgram}${installerEnd}
}
homeport_agent() {
cat <<'${agentEnd}'
${agentProgram}${agentEnd}
}
homeport_install() {
  if ! IFS= read -r homeport_token; then
    printf 'homeport-agent install: no token on standard input\\n' >&2
    exit 1
  fi
  { printf '%s\\n' "$homeport_token"; homeport_agent; } | bash -c "$(homeport_installer)" homeport-agent-install "$@"
  exit
}
homeport_install "$@"
`;

/** The command that runs `installScript` from standard input, as root. The token stands in none of its words. */
export const installScriptArgv = (options: InstallOptions): string[] => [
  'bash',
  '-s',
  '--',
  ...installWords(options),
];
