export { keyLogin } from './key-login.ts';
export { listen } from './listen.ts';
export { requireOpenSsh } from './require-openssh.ts';
export {
  type PasswordServer,
  type PasswordServerOptions,
  startPasswordServer,
} from './start-password-server.ts';
export { type Sshd, type SshdOptions, startSshd } from './start-sshd.ts';
export { makeKey, signerFor, type TestKey, type TestKeyType } from './test-keys.ts';
