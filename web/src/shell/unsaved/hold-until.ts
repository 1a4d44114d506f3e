import type { RouterHistory } from '@tanstack/react-router';
import { losesUnsaved } from '../../ui/dialog/loses-unsaved.ts';

/** What the router's history offers to whoever asks before a page is left. */
export type Leaving = Pick<RouterHistory, 'block' | '_getBlockers'>;

/**
 * Whoever leaves the page waits until the guard is there, which then asks. The tab cannot wait, so the browser itself asks while
 * something is typed. Returns how to stop.
 */
export function holdUntil(guardIsThere: Promise<void>, leaving: Leaving, isTyped: () => boolean): () => void {
  return leaving.block({
    enableBeforeUnload: isTyped,
    blockerFn: async (way) => {
      if (!losesUnsaved(way.currentLocation, way.nextLocation)) return false;
      // The history asks those alone that were there when the person left.
      const asked = new Set(leaving._getBlockers());
      await guardIsThere;
      for (const later of leaving._getBlockers())
        if (!asked.has(later) && (await later.blockerFn(way))) return true;
      return false;
    },
  });
}
