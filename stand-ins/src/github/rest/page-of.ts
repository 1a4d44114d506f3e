import type { Asked } from '../answer.ts';

const perPageAtMost = 100;

/** The part of a list that was asked for. A `Link` header names the other pages. */
export function pageOf<T>(
  { query, api, path }: Asked,
  all: readonly T[],
): { shown: readonly T[]; headers: Record<string, string> } {
  const perPage = Math.min(Number(query.get('per_page') ?? 30), perPageAtMost);
  const page = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const at = (number: number) => {
    const words = new URLSearchParams(query);
    words.set('page', String(number));
    return `<${api}${path}?${words}>`;
  };
  const links = [
    ...(page < last ? [`${at(page + 1)}; rel="next"`, `${at(last)}; rel="last"`] : []),
    ...(page > 1 ? [`${at(1)}; rel="first"`, `${at(page - 1)}; rel="prev"`] : []),
  ];
  return {
    shown: all.slice((page - 1) * perPage, page * perPage),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  };
}
