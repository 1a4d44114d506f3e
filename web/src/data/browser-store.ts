/** The browser's own database: keys, trust in each server, and the record of signatures. */
const databaseName = 'homeport';
const version = 1;

type StoreName = 'keys' | 'servers' | 'signed';

let opening: Promise<IDBDatabase> | undefined;

/**
 * Runs one transaction and resolves with the result of `work` once everything is written. An idle transaction
 * ends, so `work` must start its requests at once. Rejects with the DOMException of the failure.
 */
export async function inStore<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openDatabase();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () =>
      reject(transaction.error ?? new Error('The browser’s storage was not available.'));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, version);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('keys', { keyPath: ['owner', 'id'] });
      request.result.createObjectStore('servers', { keyPath: 'serverId' });
      const signed = request.result.createObjectStore('signed', { autoIncrement: true });
      signed.createIndex('session', 'session', { unique: true });
      signed.createIndex('at', 'at');
    };
    request.onsuccess = () => {
      const database = request.result;
      // A newer page in another tab, or the browser deleting this site's data, must not have to wait.
      const forget = () => {
        opening = undefined;
        database.close();
      };
      database.onversionchange = forget;
      database.onclose = forget;
      resolve(database);
    };
    request.onerror = () => {
      opening = undefined;
      reject(request.error ?? new Error('The browser’s storage could not be opened.'));
    };
  });
  return opening;
}
