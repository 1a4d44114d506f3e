export type { Channel, Channels, Payload } from './channels.ts';
export { databaseName, openStore, type Store, type StoreOptions } from './connect.ts';
export type * from './database.ts';
export { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
export { type Listener, notify } from './listen.ts';
export { type Owner, type OwnerRead, type OwnerWrite, ownerFromSession } from './owner.ts';
export { isDiskFull, StoreError, type StoreErrorCode } from './store-error.ts';
