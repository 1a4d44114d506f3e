/** Places of this process that each person takes and leaves again. */
export type Seats = {
  /** Takes one of the person's places; null where all are taken. Call what it returns once to leave. */
  take(person: string): (() => void) | null;
};

/** Holds nothing for a person who has no place taken. */
export function createSeats(most: number): Seats {
  const taken = new Map<string, number>();
  return {
    take(person) {
      const held = taken.get(person) ?? 0;
      if (held >= most) return null;
      taken.set(person, held + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const others = (taken.get(person) ?? 1) - 1;
        if (others === 0) taken.delete(person);
        else taken.set(person, others);
      };
    },
  };
}
