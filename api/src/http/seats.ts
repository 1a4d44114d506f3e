/** Places of this process that each person takes and frees. */
export type Seats = {
  /**
   * Takes one of the person's places and returns the function that frees it. Returns null if all places are
   * taken.
   */
  take(person: string): (() => void) | null;
};

/** Holds no entry for a person without a place. */
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
