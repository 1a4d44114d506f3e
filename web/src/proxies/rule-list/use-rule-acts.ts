import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { shownVersion, showProxy } from '../proxy-data.ts';
import { changedAnswers } from '../tester/changed-answers.ts';
import { type Move, rulesAfter } from './reorder.ts';

type NewAnswers = { newAnswers: 'refuse' | 'save' };

/**
 * Moves and deletes rules. A move shows at once, and goes back where the console refuses it. The console takes a change only of the
 * version that it has, so a move that is made while another change is being saved waits for the answer.
 */
export function useRuleActs(proxy: ProxyRecord) {
  const client = useQueryClient();
  const [moves, setMoves] = useState<readonly Move[]>([]);
  /** The moves that the console does not have yet, in their order. The first may be on its way. */
  const unsaved = useRef<readonly (Move & NewAnswers)[]>([]);
  const isAsked = useRef(false);
  const { id } = proxy;

  const saved = (changed: ProxyRecord) => {
    showProxy(client, changed);
    isAsked.current = false;
    saveFirst(changed.version);
  };
  const failed = (again: () => void) => (error: Error) => {
    unsaved.current = [];
    isAsked.current = false;
    setMoves([]);
    const answers = changedAnswers(error);
    if (answers.length === 0) toast.bad(problemText(error));
    else
      toast.bad(`Saved URLs would be answered otherwise. Nothing was changed.`, {
        detail: answers.join(' '),
        action: { label: 'Save with the new answers', run: again },
      });
  };
  const move = useAct('POST /api/proxies/:id/rules/:rule/move', {
    onDone: (changed) => {
      const [first, ...others] = unsaved.current;
      unsaved.current = others;
      if (first) setMoves([{ ...first, savedAs: changed.version }, ...others]);
      saved(changed);
    },
  });
  const remove = useAct('POST /api/proxies/:id/rules/:rule/delete', { onDone: saved });

  function saveFirst(version: number): void {
    const [first] = unsaved.current;
    if (!first || isAsked.current) return;
    isAsked.current = true;
    const { rule, to, newAnswers } = first;
    move.mutate(
      { params: { id, rule }, body: { version, to, newAnswers } },
      { onError: failed(() => moveTo(rule, to, { newAnswers: 'save' })) },
    );
  }
  function moveTo(rule: string, to: number, answers: NewAnswers = { newAnswers: 'refuse' }): void {
    unsaved.current = [...unsaved.current, { rule, to, ...answers }];
    setMoves((made) => [...made, { rule, to }]);
    saveFirst(shownVersion(client, proxy));
  }
  function deleteRule(rule: string, answers: NewAnswers = { newAnswers: 'refuse' }): void {
    if (isAsked.current) return;
    isAsked.current = true;
    remove.mutate(
      { params: { id, rule }, body: { version: shownVersion(client, proxy), ...answers } },
      { onError: failed(() => deleteRule(rule, { newAnswers: 'save' })) },
    );
  }
  return {
    /** In the order that the person has chosen. */
    rules: rulesAfter(proxy, moves),
    busy: remove.isPending || moves.some(({ savedAs }) => savedAs === undefined),
    moveTo,
    deleteRule: (rule: string) => deleteRule(rule),
  };
}
