import { type AvatarType, avatarBytes, avatarMostPixels } from '@homeport/contract/account/facts';

export type Size = { width: number; height: number };
export type Picture = { type: AvatarType; bytes: Buffer };
export type PictureRefusal = 'too_long' | 'no_picture' | 'too_large';

/**
 * The picture in a file, by the file's own bytes: what a caller calls it counts for nothing. Its width and height are read from the
 * header, so nothing here unpacks a picture.
 */
export function readPicture(bytes: Buffer): Picture | { refused: PictureRefusal } {
  if (bytes.length > avatarBytes) return { refused: 'too_long' };
  for (const { type, sizeOf } of formats) {
    const size = sizeOf(bytes);
    if (!size || size.width === 0 || size.height === 0) continue;
    if (Math.max(size.width, size.height) > avatarMostPixels) return { refused: 'too_large' };
    return { type, bytes };
  }
  return { refused: 'no_picture' };
}

type SizeOf = (bytes: Buffer) => Size | null;

const hasAt = (bytes: Buffer, at: number, text: string) =>
  bytes.toString('latin1', at, at + text.length) === text;

/** PNG (Portable Network Graphics specification), 5.2 and 11.2.2: the signature, then always the chunk IHDR. */
const sizeOfPng: SizeOf = (bytes) => {
  if (bytes.length < 33 || !hasAt(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasAt(bytes, 12, 'IHDR')) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

/** C4, C8 and CC lie among the markers of a frame and mean something else. */
const beginsFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** JPEG (ITU-T T.81, annex B): segments with their lengths, up to the one that begins the frame. */
const sizeOfJpeg: SizeOf = (bytes) => {
  if (!hasAt(bytes, 0, '\xff\xd8\xff')) return null;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    // A marker may stand after any number of these.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (beginsFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
};

/** WebP (RFC 9649, 2.5 to 2.7): one of three first chunks names the size. */
const sizeOfWebp: SizeOf = (bytes) => {
  if (bytes.length < 30 || !hasAt(bytes, 0, 'RIFF') || !hasAt(bytes, 8, 'WEBP')) return null;
  if (hasAt(bytes, 12, 'VP8X'))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (hasAt(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const both = bytes.readUInt32LE(21);
    return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
  }
  if (hasAt(bytes, 12, 'VP8 ') && hasAt(bytes, 23, '\x9d\x01\x2a'))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return null;
};

const formats: readonly { type: AvatarType; sizeOf: SizeOf }[] = [
  { type: 'image/png', sizeOf: sizeOfPng },
  { type: 'image/jpeg', sizeOf: sizeOfJpeg },
  { type: 'image/webp', sizeOf: sizeOfWebp },
];
