// Sends requests for a test from a process of its own, so that the work of asking is not measured as the work of answering.

/** @type {{ url: string, method: string, headers: Record<string, string>, body: string | null } | undefined} */
let asked;

process.on('message', (message) => {
  if (message !== 'go') {
    asked = /** @type {typeof asked} */ (message);
    process.send?.('ready');
    return;
  }
  if (asked === undefined) return;
  const { url, method, headers, body } = asked;
  fetch(url, {
    method,
    headers: { ...headers, ...(body !== null && { 'content-type': 'application/json' }) },
    ...(body !== null && { body }),
    redirect: 'manual',
  })
    .then(async (answer) => {
      await answer.arrayBuffer();
      process.send?.({ status: answer.status });
    })
    .catch(() => process.send?.({ status: 0 }));
});
process.on('disconnect', () => process.exit());
