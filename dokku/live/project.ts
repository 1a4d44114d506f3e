/** The code of the app that the checks deploy: two types of process, and tasks. */
export const project = {
  Dockerfile: 'FROM busybox:1.37\nWORKDIR /srv\nCOPY . .\nEXPOSE 5000\n',
  Procfile: 'web: sh serve.sh\nworker: sh work.sh\n',
  'work.sh': 'echo "live: at work"; while true; do sleep 1; done\n',
  'serve.sh': `echo "live: serving"
if command -v httpd >/dev/null; then exec httpd -f -p "$PORT" -h /srv; fi
exec node -e 'require("http").createServer((_, answer) => answer.end("live")).listen(process.env.PORT)'
`,
  // In a night of the new year, so that only the checks run them.
  'app.json': JSON.stringify({
    cron: [
      { command: "sh -c 'echo live: a task'", schedule: '0 4 1 1 *' },
      { command: 'false', schedule: '@yearly', concurrency_policy: 'forbid' },
    ],
  }),
  'index.html': 'live\n',
  'README.md': '# live\n',
};
