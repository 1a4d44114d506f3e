import type { Variable } from './staged-changes.ts';

/**
 * Whether a value is shown without being asked for: Dokku keeps it (GIT_REV, NO_VHOST), and neither its name nor its form is that of a
 * secret. Connection strings of linked databases are Dokku's as well, and stay hidden; so does everything that a person set.
 */
export function isPlain({ key, value, managed }: Pick<Variable, 'key' | 'value' | 'managed'>): boolean {
  return managed && !/SECRET|KEY|TOKEN|PASS|URL/i.test(key) && /^[\w.:-]{1,64}$/.test(value);
}
