import { simulatedTexts } from './simulated.ts';

/** Why something cannot be done on a server, one sentence for each thing. */
export type ClosedTexts = { readonly [Thing in keyof typeof simulatedTexts]: string };

/** A read-only server: its agent reports, and the console holds no credential to log in with. */
export const readOnlyTexts = {
  act: 'This server is read-only: add a management credential in its settings first.',
  ask: 'This server is read-only: without a management credential, Homeport cannot ask it.',
  connect: 'This server is read-only: without a management credential, Homeport cannot connect to it.',
  create: 'This server is read-only: without a management credential, Homeport can create nothing on it.',
  deploy: 'This server is read-only: without a management credential, Homeport cannot set up deploys to it.',
  reports:
    'This server is read-only. Homeport shows what its agent reports, and what it knew before. It cannot read or change anything on the machine: no apps, databases, logs or firewall.',
  run: 'This server is read-only: Homeport has no management credential for it. Nothing was changed. Add a credential in the server’s settings to run anything on it.',
} as const satisfies ClosedTexts;

/** Null for a server that the console can log in to. */
export function closedTexts(server: { simulated: boolean; credential: string | null }): ClosedTexts | null {
  if (server.simulated) return simulatedTexts;
  return server.credential === null ? readOnlyTexts : null;
}
