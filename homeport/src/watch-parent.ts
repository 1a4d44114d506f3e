const lookEveryMs = 500;

/**
 * Calls `onGone` once when npm, which started this process, has ended. npm passes SIGTERM and SIGINT on, but not SIGHUP, and
 * nothing when it is killed; a shell between both passes nothing on. With any other parent (a service manager, a shell that the
 * person leaves) the console outlives its parent.
 *
 * @returns stops watching
 */
export function watchParent(
  env: Readonly<Record<string, string | undefined>>,
  onGone: () => void,
  parentOf: () => number = () => process.ppid,
): () => void {
  if (env.npm_lifecycle_event !== 'start') return () => {};
  const parent = parentOf();
  const timer = setInterval(() => {
    if (parentOf() === parent) return;
    clearInterval(timer);
    onGone();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
