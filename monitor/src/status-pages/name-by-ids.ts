/** The slug of each page, and the page at each slug. */
export function nameByIds() {
  const idOf = new Map<string, string>();
  const slugOf = new Map<string, string>();
  return {
    idOf: (slug: string) => idOf.get(slug),
    has: (id: string) => slugOf.has(id),
    ids: () => [...slugOf.keys()],
    /** Undefined: nobody finds the page any more. */
    set(id: string, slug: string | undefined): void {
      const before = slugOf.get(id);
      // Another page may have taken the slug meanwhile.
      if (before !== undefined && idOf.get(before) === id) idOf.delete(before);
      slugOf.delete(id);
      if (slug === undefined) return;
      idOf.set(slug, id);
      slugOf.set(id, slug);
    },
  };
}
