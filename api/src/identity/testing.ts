import { randomBytes } from 'node:crypto';
import type { Store } from '@homeport/store';
import { createLog } from '../http/log.ts';
import { authOptions } from './auth.ts';

/** The identity library’s options over a store, with nobody to mail and no limits. */
export const authOptionsFor = (store: Store) =>
  authOptions({
    store,
    publicUrl: 'http://127.0.0.1:7070',
    secret: randomBytes(32).toString('base64'),
    mailer: { send: async () => '', close: () => {} },
    log: createLog('silent'),
    sessionsPerPerson: 1,
    limits: { take: async () => 0 },
    inBackground: () => {},
    onFirstProof: async () => {},
  });
