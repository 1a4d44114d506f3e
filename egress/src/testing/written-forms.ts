/** The ways in which people and programs write one address. Some of them only a resolver or a URL reads. */
export function writtenForms(bytes: Uint8Array): string[] {
  return bytes.length === 4 ? formsOfFour(bytes) : formsOfSixteen(bytes);
}

function formsOfFour(bytes: Uint8Array): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const dotted = `${a}.${b}.${c}.${d}`;
  const groups = `${hex((a << 8) | b)}:${hex((c << 8) | d)}`;
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return [
    dotted,
    `${dotted}.`,
    `[${dotted}]`,
    [a, b, c, d].map((each) => `0${each.toString(8)}`).join('.'),
    [a, b, c, d].map((each) => `0x${hex(each)}`).join('.'),
    [a, b, c, d].map((each) => String(each).padStart(3, '0')).join('.'),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    String(number),
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    ...['::ffff:', '::FFFF:', '0:0:0:0:0:ffff:', '0000:0000:0000:0000:0000:ffff:'].flatMap((prefix) => [
      prefix + dotted,
      prefix + groups,
      `[${prefix}${dotted}]`,
      `${prefix}${dotted}%1`,
    ]),
  ];
}

function formsOfSixteen(bytes: Uint8Array): string[] {
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0),
  );
  const short = groups.map(hex).join(':');
  const long = groups.map((group) => hex(group).padStart(4, '0')).join(':');
  const zeros = groups.indexOf(0);
  const compressed =
    zeros === -1
      ? short
      : `${groups.slice(0, zeros).map(hex).join(':')}::${groups
          .slice(zeros + 1)
          .map(hex)
          .join(':')}`;
  const tail = [...bytes.slice(12)].join('.');
  const mixed = `${groups.slice(0, 6).map(hex).join(':')}:${tail}`;
  return [
    ...[short, long, compressed, mixed].flatMap((form) => [
      form,
      form.toUpperCase(),
      `[${form}]`,
      `${form}.`,
    ]),
    `${short}%1`,
    `${short}%lo`,
  ];
}

const hex = (value: number) => value.toString(16);
