import { type Bytes, concat } from '@homeport/signer/bytes';

type AesMode = 'AES-CBC' | 'AES-CTR' | 'AES-GCM';

/** Decrypts CBC with PKCS#7 padding, which PEM and PKCS#8 files use. Rejects if the padding is wrong. */
export async function decryptCbcPadded(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Bytes> {
  const aes = await importAes(key, 'AES-CBC');
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CBC', iv: new Uint8Array(iv) }, aes, new Uint8Array(data)),
  );
}

/**
 * Decrypts CBC without padding. WebCrypto knows only padded CBC. Therefore this function appends one block
 * that decrypts to a whole block of padding. WebCrypto finds and removes that padding.
 */
export async function decryptCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Bytes> {
  const aes = await importAes(key, 'AES-CBC');
  const last = new Uint8Array(data.length === 0 ? iv : data.subarray(-16));
  const padding = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: last }, aes, new Uint8Array(0));
  return decryptCbcPadded(key, iv, concat(data, new Uint8Array(padding)));
}

/** CTR with the whole block as counter, as OpenSSH uses it. The same call encrypts and decrypts. */
export async function cryptCtr(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Bytes> {
  const aes = await importAes(key, 'AES-CTR');
  const algorithm = { name: 'AES-CTR', counter: new Uint8Array(iv), length: 128 };
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, aes, new Uint8Array(data)));
}

/** `data` ends with the tag of 16 bytes. Rejects if the tag is wrong. */
export async function decryptGcm(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Bytes> {
  const aes = await importAes(key, 'AES-GCM');
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv: new Uint8Array(iv) }, aes, new Uint8Array(data)),
  );
}

function importAes(key: Uint8Array, name: AesMode): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new Uint8Array(key), name, false, ['encrypt', 'decrypt']);
}
