export {
  type InstallOptions,
  installCommand,
  type RemoteProgram,
  uninstallCommand,
} from './install-command.ts';
export { installScript, installScriptArgv } from './install-script.ts';
export { agentProgram, installProgram, uninstallProgram } from './programs.ts';
