import type { z } from 'zod';

export type Check = (value: unknown) => boolean;

/**
 * A check that costs a tenth of `safeParse`, for the thousands of valid reports a second. It is made from the schema, so the
 * limits stand in one place. The schema takes every value that the check takes. When the check refuses a value, ask the schema,
 * which gives the reason. Throws for an unknown kind of schema, at start and never at a report.
 */
export function quickCheck(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      if ('format' in def) throw unknown(String(def.format));
      return all((value) => typeof value === 'string', limits(def.checks, lengthOf));
    case 'number':
      if ('format' in def) throw unknown(String(def.format));
      return all(Number.isFinite, limits(def.checks, Number));
    case 'literal': {
      const allowed = new Set<unknown>(def.values);
      return (value) => allowed.has(value);
    }
    case 'nullable': {
      const inner = quickCheck(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'optional': {
      const inner = quickCheck(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'array': {
      const element = quickCheck(def.element);
      return all((value) => Array.isArray(value) && value.every(element), limits(def.checks, lengthOf));
    }
    case 'tuple': {
      if (def.rest) throw unknown('a tuple with a rest');
      const items = def.items.map(quickCheck);
      return (value) =>
        Array.isArray(value) && value.length === items.length && items.every((item, at) => item(value[at]));
    }
    case 'object': {
      if (def.catchall) throw unknown('an object that is strict or open');
      const fields = Object.entries(def.shape).map(([name, field]) => [name, quickCheck(field)] as const);
      return (value) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        const record = value as Record<string, unknown>;
        for (const [name, field] of fields) if (!field(record[name])) return false;
        return true;
      };
    }
    default:
      throw unknown(def.type);
  }
}

const lengthOf = (value: unknown) => (value as string | unknown[]).length;

/** Checks the kind first, because the limits rely on it. */
function all(kind: Check, checks: readonly Check[]): Check {
  const [first, second, third, ...more] = checks;
  if (more.length > 0) throw unknown('more than three limits');
  if (!first) return kind;
  if (!second) return (value) => kind(value) && first(value);
  if (!third) return (value) => kind(value) && first(value) && second(value);
  return (value) => kind(value) && first(value) && second(value) && third(value);
}

function limits(
  checks: readonly z.core.$ZodCheck<never>[] | undefined,
  sizeOf: (value: unknown) => number,
): Check[] {
  return (checks ?? []).map((check) => {
    const { def } = (check as unknown as z.core.$ZodChecks)._zod;
    switch (def.check) {
      case 'greater_than': {
        const least = Number(def.value);
        return def.inclusive ? (value) => sizeOf(value) >= least : (value) => sizeOf(value) > least;
      }
      case 'less_than': {
        const most = Number(def.value);
        return def.inclusive ? (value) => sizeOf(value) <= most : (value) => sizeOf(value) < most;
      }
      case 'max_length':
        return (value) => sizeOf(value) <= def.maximum;
      case 'min_length':
        return (value) => sizeOf(value) >= def.minimum;
      case 'length_equals':
        return (value) => sizeOf(value) === def.length;
      case 'number_format':
        if (def.format !== 'safeint') throw unknown(def.format);
        return Number.isSafeInteger;
      case 'string_format': {
        const { pattern } = def;
        if (!pattern || pattern.global || pattern.sticky) throw unknown(def.format);
        return (value) => pattern.test(String(value));
      }
      default:
        throw unknown(def.check);
    }
  });
}

const unknown = (what: string) => new TypeError(`The quick check does not know ${what}.`);
