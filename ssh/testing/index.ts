export { copiesInMemory } from './copies-in-memory.ts';
export { keyLogin } from './key-login.ts';
export { listen } from './listen.ts';
export { machineNote } from './machine-note.ts';
export { requireOpenSsh } from './require-openssh.ts';
export { type OlderServer, type OlderServerOptions, startOlderServer } from './start-older-server.ts';
export {
  type PasswordServer,
  type PasswordServerOptions,
  startPasswordServer,
} from './start-password-server.ts';
export { offering, packetOf, startRawServer } from './start-raw-server.ts';
export { type Sshd, type SshdOptions, startSshd } from './start-sshd.ts';
export { makeKey, signerFor, type TestKey, type TestKeyType } from './test-keys.ts';
