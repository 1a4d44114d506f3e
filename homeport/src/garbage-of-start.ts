/**
 * Gives back what the start used. Reading the programs makes V8 enlarge its room for new objects to 64 MiB, and an idle console makes too
 * few objects for V8 to shrink it: only this command of V8's inspector does (`HeapProfiler.collectGarbage`; `gc()` leaves the room as it
 * is). It holds the loop for some 100 ms, so it belongs before the first request. The room grows again with the work.
 */
export async function collectGarbageOfStart(): Promise<void> {
  // A Node that was built without the inspector keeps the memory.
  if (!process.features.inspector) return;
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  // V8 does it in a task of its own, which ends with the session.
  await session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect());
}
