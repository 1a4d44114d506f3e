import type { Store } from '@homeport/store';

export type OperationChanges = {
  /**
   * Calls whenever the operation gets a line, a step or another state. Returns the function that stops this.
   */
  subscribe(operationId: string, onChange: () => void): () => void;
  close(): void;
};

/** One listener on the store for all readers of this process. */
export async function followOperations({ listener }: Pick<Store, 'listener'>): Promise<OperationChanges> {
  const readers = new Map<string, Set<() => void>>();
  const ringAll = () => {
    for (const rings of readers.values()) for (const ring of rings) ring();
  };
  const stops = [
    await listener.on('operation', ({ operation }) => {
      for (const ring of readers.get(operation) ?? []) ring();
    }),
    listener.onReconnect(ringAll),
  ];
  return {
    subscribe(operationId, onChange) {
      const rings = readers.get(operationId) ?? new Set();
      readers.set(operationId, rings.add(onChange));
      return () => {
        rings.delete(onChange);
        if (rings.size === 0) readers.delete(operationId);
      };
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
