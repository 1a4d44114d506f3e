import type { Weighed } from './weigh-news.ts';

/** What several pieces of news of one server say together. */
export type GroupHead = { heading: string; state: Weighed['state'] };

/** Null where the news is not of one server, or a server went silent twice: then it left together because an hour had no more room. */
export function headOfGroup(news: readonly Weighed[]): GroupHead | null {
  const server = news[0]?.server;
  if (!server || news.length < 2 || news.some((piece) => piece.server?.key !== server.key)) return null;
  const { name } = server;
  const times = (event: Weighed['event']) => news.filter((piece) => piece.event === event).length;
  const [silent, down, back, up] = [
    times('server.went-silent'),
    times('app.went-down'),
    times('server.came-back'),
    times('app.came-up'),
  ];
  if (silent > 1 || back > 1) return null;
  if (back + up === 0)
    return {
      state: 'firing',
      heading:
        silent === 1
          ? `${name} is offline, and ${apps(down)} on it ${are(down)} down`
          : `${apps(down)} on ${name} ${are(down)} down`,
    };
  if (silent + down === 0)
    return {
      state: 'resolved',
      heading:
        back === 1
          ? `${name} is online again, and ${apps(up)} on it ${are(up)} up`
          : `${apps(up)} on ${name} ${are(up)} up again`,
    };
  return { state: 'none', heading: `${news.length} pieces of news of ${name}` };
}

const apps = (count: number) => (count === 1 ? '1 app' : `${count} apps`);
const are = (count: number) => (count === 1 ? 'is' : 'are');
