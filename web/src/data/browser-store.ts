/** The browser's own database: keys, what it knows of each server, and what it has signed. */
const databaseName = 'homeport';
const version = 1;

type StoreName = 'keys' | 'servers' | 'signed';

let opening: Promise<IDBDatabase> | undefined;

/**
 * Runs one transaction and resolves with what `work` asked for once everything is written. `work` starts its requests
 * at once: a transaction ends when it has nothing to do. Rejects with the DOMException of whatever failed.
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
      // Another tab with a newer page, or the browser clearing this site's data, must not be kept waiting.
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
