const lookEveryMs = 500;

/**
 * Calls `onGone` once when npm, which started this process, has ended. npm hands SIGTERM and SIGINT on, but not SIGHUP,
 * and nothing when it is killed; a shell between both hands nothing on. Started by anything else (a service manager, a
 * shell that is left), the console outlives its parent.
 *
 * @returns stops looking
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
