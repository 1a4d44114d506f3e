import type { IncomingHttpHeaders } from 'node:http';
import type { FlatHeaders } from '../response/response-headers.ts';

/** The head of an upstream's answer. */
export class AnswerHead {
  readonly status: number;
  /** Names in lower case and values in turn, as they came. A character is a byte (latin1). */
  readonly flat: FlatHeaders;
  /** HTTP/1.1, not HTTP/1.0. */
  readonly is11: boolean;
  #record: IncomingHttpHeaders | null = null;

  constructor(status: number, flat: FlatHeaders, is11: boolean) {
    this.status = status;
    this.flat = flat;
    this.is11 = is11;
  }

  /** The first value of that name. */
  value(name: string): string | undefined {
    const { flat } = this;
    for (let index = 0; index < flat.length; index += 2) if (flat[index] === name) return flat[index + 1];
    return undefined;
  }

  /** The headers by name. Made when somebody asks: most answers pass without. */
  get headers(): IncomingHttpHeaders {
    this.#record ??= headersByName(this.flat);
    return this.#record;
  }
}

/** Values of one name become a list with commas (RFC 9110, 5.3), but for Set-Cookie. */
export function headersByName(flat: FlatHeaders): IncomingHttpHeaders {
  // An upstream may name a header `constructor` or `__proto__`.
  const out: IncomingHttpHeaders = Object.create(null);
  for (let index = 0; index < flat.length; index += 2) {
    const [name = '', value = ''] = [flat[index], flat[index + 1]];
    const before = out[name];
    if (name === 'set-cookie') out[name] = [...(out[name] ?? []), value];
    else out[name] = before === undefined ? value : `${String(before)}, ${value}`;
  }
  return out;
}
