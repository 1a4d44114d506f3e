import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../../data/api-problem.ts';
import { useAct } from '../../data/use-api.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { showProxy } from '../proxy-data.ts';
import { changedAnswers } from '../tester/changed-answers.ts';
import { moved } from './reorder.ts';

type NewAnswers = { newAnswers: 'refuse' | 'save' };

/** Moves and deletes rules. A move shows at once, and goes back where the console refuses it. */
export function useRuleActs(proxy: ProxyRecord) {
  const client = useQueryClient();
  // A newer version of the proxy has the order itself.
  const [order, setOrder] = useState<{ version: number; rules: ProxyRecord['rules'] } | null>(null);
  const onDone = (changed: ProxyRecord) => showProxy(client, changed);
  const failed = (again: () => void) => (error: Error) => {
    setOrder(null);
    const answers = changedAnswers(error);
    if (answers.length === 0) toast.bad(problemText(error));
    else
      toast.bad(`Saved URLs would be answered otherwise. Nothing was changed.`, {
        detail: answers.join(' '),
        action: { label: 'Save with the new answers', run: again },
      });
  };
  const move = useAct('POST /api/proxies/:id/rules/:rule/move', { onDone });
  const remove = useAct('POST /api/proxies/:id/rules/:rule/delete', { onDone });
  const { id, version } = proxy;

  const moveTo = (rule: string, to: number, answers: NewAnswers = { newAnswers: 'refuse' }) => {
    setOrder({ version, rules: [...moved(proxy.rules, rule, to)] });
    const input = { params: { id, rule }, body: { version, to, ...answers } };
    move.mutate(input, { onError: failed(() => moveTo(rule, to, { newAnswers: 'save' })) });
  };
  const deleteRule = (rule: string, answers: NewAnswers = { newAnswers: 'refuse' }) => {
    const input = { params: { id, rule }, body: { version, ...answers } };
    remove.mutate(input, { onError: failed(() => deleteRule(rule, { newAnswers: 'save' })) });
  };
  return {
    /** In the order that the person has chosen. */
    rules: order?.version === version ? order.rules : proxy.rules,
    busy: move.isPending || remove.isPending,
    moveTo,
    deleteRule: (rule: string) => deleteRule(rule),
  };
}
