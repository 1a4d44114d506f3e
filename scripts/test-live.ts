/** `npm run test:live`: tries a real Dokku host, or the real services that the console calls. */
const argv = process.argv.slice(2);
const isOfService = argv.some((word) => /^--(?:cloudflare|github)(?:=|$)/.test(word));
if (isOfService) {
  const { runLive } = await import('@homeport/api/testing/live');
  process.exitCode = await runLive(argv, process.env);
} else await import('@homeport/dokku/live/live');
