export { bodyOf, createVisitor, password, signUp, type TestVisitor } from '../http/testing.ts';
export { deployApp } from './deploy-app.ts';
export { gitProject } from './git-project.ts';
export { linkServer, type TestLink } from './link-server.ts';
export { type LinkedConsole, startLinkedConsole } from './linked-console.ts';
export { begin, followToEnd, openAsPage, openLivePage, runToEnd, succeeded } from './page.ts';
export { type SandboxServer, startSandboxServer } from './sandbox-host.ts';
export { nextTotpOf, totpOf } from './totp.ts';
export { visitApp } from './visit-app.ts';
