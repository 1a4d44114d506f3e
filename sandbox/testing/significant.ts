import { stripCsi } from '@homeport/dokku';

/** The part of an output that has to be the same on the sandbox. Each rule names what it removes. */
export function significant(text: string): string {
  return inAnyOrder(
    stripCsi(text)
      // The builder's output: the sandbox has a builder of its own.
      .replaceAll(
        /^-----> Building (\S+) from \S+\n[\s\S]*?(?=^(?:-----> Releasing| ! {5}App build failed))/gm,
        '-----> Building $1\n',
      )
      // The recorded app's own check, from its app.json.
      .replaceAll(
        /^ {7}(?:Running healthcheck|Healthcheck succeeded|No web healthchecks|For more efficient zero) .*\n|^ !.*No healthchecks found in app.json.*\n|^-----> Executing \d healthchecks\n|.*\bGET \/\n/gm,
        '',
      )
      .replaceAll(/Failure in name='[^']*': .*/g, "Failure in name='<check>'")
      // The number of repetitions.
      .replaceAll(/worker tick \d+/g, 'worker tick <n>')
      .replaceAll(/^(.*\n)\1+/gm, '$1')
      // How long an old container stays: the recorder had set a time of its own.
      .replaceAll(/(shutdown|containers) in \d+ seconds/g, '$1 in <n> seconds')
      // Links to databases, which the recorder's server printed for every app.
      .replaceAll(/^ {7}Unlinking from \S+\n/gm, '')
      // The ACME client's own log.
      .replaceAll(/^ {7}(?:\d{4}\/\d\d\/\d\d |!!!! HEADS UP)[\s\S]*?(?=^----->)/gm, '')
      // Passwords, and addresses of containers, which the sandbox does not have.
      .replaceAll(/:[0-9a-f]{16,64}@/g, ':<password>@')
      .replaceAll(/\b(?:172\.17\.0\.\d+|127\.0\.0\.1) *$/gm, '<ip>')
      // The folder that git clones into.
      .replaceAll(/dokku-\d+-fn-git-clone\.\w+/g, 'dokku-<pid>-fn-git-clone.<id>')
      // Ids, times, ports, process ids.
      .replaceAll(/\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b|\b[0-9a-f]{11,12}\b/g, '<id>')
      .replaceAll(/\bm[0-9a-z]{13}\b/g, '<build>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, '<time>')
      .replaceAll(/\b17952\d{5}\b|\b1[678]\d{8}\b/g, '<time>')
      .replaceAll(/^<build> +(\w+) +(\w+) +\d+ +(\S+) .*$/gm, '<build> $1 $2 <pid> $3')
      .replaceAll(/^Build ID .*$/gm, 'Build ID')
      .replaceAll(/"duration": ?"\w+"/g, '"duration":"<duration>"')
      .replaceAll(/"pid": ?\d+/g, '"pid":<pid>')
      .replaceAll(/upcoming-\d+/g, 'upcoming-<n>')
      .replaceAll(/Random port \d+/g, 'Random port <port>')
      .replaceAll(/\\?"host_port\\?":\d+/g, '"host_port":<port>')
      .replaceAll(/http:\d+:5000/g, 'http:<port>:5000')
      .replaceAll(/listening on \d+/g, 'listening on <port>')
      .replaceAll(/(https?:\/\/[a-z][a-z0-9.-]+):\d+/g, '$1')
      .replaceAll(/(scheduler-deploy-process-container \S+) \w+/g, '$1 <builder>')
      // The blanks of JSON, in which plugins differ.
      .replaceAll(/ ?([{}[\],:]) ?"/g, '$1"')
      .replaceAll(/" ?([}\]])/g, '"$1'),
  );
}

/** Sorts log lines, because the order of the containers in a log is unpredictable. */
function inAnyOrder(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  const isLog = lines.length > 1 && lines.every((line) => /^<time> app\[/.test(line));
  return isLog ? `${[...new Set(lines)].sort().join('\n')}\n` : text;
}
