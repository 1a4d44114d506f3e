import { avatarBytes, avatarTypes, avatarUsualPixels } from '@homeport/contract/account/facts';

/** A larger file is not opened. The photos of a phone have a fraction of this. */
const fileBytes = 32 * 1024 * 1024;

export type Scaled = { kind: 'scaled'; base64: string } | { kind: 'refused'; reason: string };

/**
 * The middle of a picture as a small square, in base64. Only the pixels are drawn, so that the place where a photo was taken stays in
 * this browser.
 */
export async function scalePicture(file: Blob): Promise<Scaled> {
  if (file.size > fileBytes) return refused('This file is larger than 32 MB. Choose a smaller picture.');
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap)
    return refused('This browser cannot read the file as a picture. Choose a PNG, JPEG or WebP picture.');
  try {
    const base64 = encode(drawSquare(bitmap));
    return base64 === null
      ? refused('This picture stays too large. Choose another one.')
      : { kind: 'scaled', base64 };
  } finally {
    bitmap.close();
  }
}

const refused = (reason: string): Scaled => ({ kind: 'refused', reason });

function drawSquare(bitmap: ImageBitmap): HTMLCanvasElement {
  const { left, top, side, pixels } = middleOf(bitmap);
  const canvas = document.createElement('canvas');
  canvas.width = pixels;
  canvas.height = pixels;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser does not draw pictures.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, side, side, 0, 0, pixels, pixels);
  return canvas;
}

/** The largest square in the middle, and the width that it gets: a small picture is not blown up. */
export function middleOf({ width, height }: { width: number; height: number }) {
  const side = Math.min(width, height);
  return {
    left: (width - side) / 2,
    top: (height - side) / 2,
    side,
    pixels: Math.min(side, avatarUsualPixels),
  };
}

/** The first form that this browser can write and that is short enough. Safari writes no WebP. */
function encode(canvas: HTMLCanvasElement): string | null {
  for (const type of avatarTypes) {
    const [head = '', base64 = ''] = canvas.toDataURL(type, 0.9).split(',');
    if (head === `data:${type};base64` && (base64.length / 4) * 3 <= avatarBytes) return base64;
  }
  return null;
}
