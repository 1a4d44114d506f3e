import { stripCsi } from '@homeport/dokku';

/** What of an output has to be the same on the sandbox. Each rule says what it takes out. */
export function significant(text: string): string {
  return inAnyOrder(
    stripCsi(text)
      // A build prints what its builder prints; the sandbox has one of its own.
      .replaceAll(
        /^-----> Building (\S+) from \S+\n[\s\S]*?(?=^(?:-----> Releasing| ! {5}App build failed))/gm,
        '-----> Building $1\n',
      )
      // The recorded app brought a check of its own, in app.json.
      .replaceAll(
        /^ {7}(?:Running healthcheck|Healthcheck succeeded|No web healthchecks|For more efficient zero) .*\n|^ !.*No healthchecks found in app.json.*\n|^-----> Executing \d healthchecks\n|.*\bGET \/\n/gm,
        '',
      )
      .replaceAll(/Failure in name='[^']*': .*/g, "Failure in name='<check>'")
      // How often something was said or tried.
      .replaceAll(/worker tick \d+/g, 'worker tick <n>')
      .replaceAll(/^(.*\n)\1+/gm, '$1')
      // An old container is kept as long as the recorder had set.
      .replaceAll(/(shutdown|containers) in \d+ seconds/g, '$1 in <n> seconds')
      // Links to databases, which the recorder's server remembered for any app.
      .replaceAll(/^ {7}Unlinking from \S+\n/gm, '')
      // The ACME client's own log.
      .replaceAll(/^ {7}(?:\d{4}\/\d\d\/\d\d |!!!! HEADS UP)[\s\S]*?(?=^----->)/gm, '')
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
      // Plugins differ in the blanks of their JSON.
      .replaceAll(/ ?([{}[\],:]) ?"/g, '$1"')
      .replaceAll(/" ?([}\]])/g, '"$1'),
  );
}

/** Log lines of several containers come one container after the other, in no order that could be known. */
function inAnyOrder(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  const isLog = lines.length > 1 && lines.every((line) => /^<time> app\[/.test(line));
  return isLog ? `${[...new Set(lines)].sort().join('\n')}\n` : text;
}
