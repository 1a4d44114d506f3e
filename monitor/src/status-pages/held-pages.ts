import type { StatusFile, StatusRender } from '@homeport/store';

export type HeldPage = {
  files: ReadonlyMap<StatusFile, StatusRender>;
  /** Of its files and their compressed copies. */
  bytes: number;
  /** Whose page it is. */
  owner: string;
  /** When it was rendered last, also where that changed nothing. */
  renderedAt: number;
  /** Its files say that nothing is known. */
  isStale: boolean;
};

export const bytesOf = (files: Iterable<StatusRender>): number =>
  [...files].reduce((sum, { body, gzip }) => sum + body.length + gzip.length, 0);

/** Pages within a share for all, and one for each account. The page that was asked for longest ago goes first. */
export function createHeldPages({ most, mostOfOwner }: { most: number; mostOfOwner: number }) {
  /** The one that was asked for longest ago is first. */
  const held = new Map<string, HeldPage>();
  const ofOwner = new Map<string, number>();
  let bytes = 0;

  function count({ owner }: HeldPage, more: number): void {
    bytes += more;
    const left = (ofOwner.get(owner) ?? 0) + more;
    if (left > 0) ofOwner.set(owner, left);
    else ofOwner.delete(owner);
  }

  function drop(id: string): void {
    const page = held.get(id);
    if (!page) return;
    held.delete(id);
    count(page, -page.bytes);
  }

  function makeRoom(kept: string, { owner }: HeldPage): void {
    for (const [id, page] of held) {
      const isOwnersTurn = (ofOwner.get(owner) ?? 0) > mostOfOwner && page.owner === owner;
      if (id !== kept && (isOwnersTurn || bytes > most)) drop(id);
    }
  }

  return {
    drop,
    /** Pages that nobody asked for leave a tenth free, so that they push out none that somebody asked for. */
    isFull: () => bytes > most * 0.9,
    peek: (id: string) => held.get(id),
    /** Finds a page for somebody who asks for it. */
    take(id: string): HeldPage | undefined {
      const page = held.get(id);
      if (!page) return undefined;
      held.delete(id);
      held.set(id, page);
      return page;
    },
    /** A page that is held already keeps its turn: nobody asked for it. */
    put(id: string, page: HeldPage): void {
      const before = held.get(id);
      if (before) count(before, -before.bytes);
      held.set(id, page);
      count(page, page.bytes);
      makeRoom(id, page);
    },
  };
}
