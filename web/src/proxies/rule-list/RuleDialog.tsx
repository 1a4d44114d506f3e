import type { ProxyRecord, ProxyRule } from '@homeport/contract/proxies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { SubmitKeys } from '../../ui/dialog/SubmitKeys.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { definitionOf, showProxy } from '../proxy-data.ts';
import { ChangedAnswers } from '../tester/ChangedAnswers.tsx';
import { changedAnswers } from '../tester/changed-answers.ts';
import { TestResult } from '../tester/TestResult.tsx';
import { UrlField } from '../tester/UrlField.tsx';
import { useExplained } from '../tester/use-explained.ts';
import { RuleFields } from './RuleFields.tsx';
import { draftOf, emptyRule, type RuleDraft, type RuleField, ruleProblems } from './rule-draft.ts';
import styles from './rules.module.css';

export interface RuleDialogProps {
  proxy: ProxyRecord;
  /** Null: a new rule. */
  rule: ProxyRule | null;
  /** From 0. */
  place: number;
  /** The URL in the tester of the page. */
  url: string;
  onClose: () => void;
}

const fields = Object.keys(emptyRule) as RuleField[];
/** Stands for the id of a rule that is not saved yet. */
const unsaved = 'unsaved';

/** Adds or edits a rule. A URL is tested on the rules as they would be. */
export function RuleDialog({ proxy, rule, place, url: first, onClose }: RuleDialogProps) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const begun = rule ? draftOf(rule) : emptyRule;
  const [draft, setDraft] = useState<RuleDraft>(begun);
  const [checked, setChecked] = useState(false);
  const [url, setUrl] = useState(first);
  const { save, error, saving } = useSaveRule(proxy, rule, onClose);
  const problems = checked ? ruleProblems(draft) : {};
  const problemOf = (field: RuleField) => problems[field] ?? fieldProblem(error, field);
  const answers = changedAnswers(error);
  const explained = useExplained(definitionOf(withDraft(proxy, draft, rule, place)), url);
  const placeOf = (id: string) =>
    id === 'source'
      ? -1
      : id === (rule?.id ?? unsaved)
        ? place
        : proxy.rules.findIndex((each) => each.id === id);

  useEffect(() => {
    if (error) focusFirstWrong(form.current);
  }, [error]);

  const send = (newAnswers: 'refuse' | 'save') => {
    setChecked(true);
    if (Object.keys(ruleProblems(draft)).length === 0) save(draft, newAnswers);
    else focusFirstWrongOnceDrawn(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send('refuse');
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={rule ? `Edit rule ${place + 1}` : 'Add rule'}
      description={proxy.domain}
      dirty={JSON.stringify(draft) !== JSON.stringify(begun)}
      className={styles.dialog}
      footer={
        <>
          <SubmitKeys />
          <SubmitButtons form={formId} busy={saving} busyLabel="Saving" onCancel={onClose}>
            Save rule
          </SubmitButtons>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        className={classNames(layout.stack, layout.gap5)}
        noValidate
        aria-label="Rule"
        inert={saving}
        onSubmit={submit}
      >
        {error && answers.length === 0 && !fields.some((field) => fieldProblem(error, field)) && (
          <ProblemBanner error={error}>The rule was not saved.</ProblemBanner>
        )}
        <RuleFields
          draft={draft}
          domain={proxy.domain}
          problemOf={problemOf}
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <div className={styles.trial}>
          <UrlField url={url} domain={proxy.domain} onUrl={setUrl} />
          <TestResult explained={explained} placeOf={placeOf} />
        </div>
      </form>
      <ChangedAnswers answers={answers} busy={saving} onSave={() => send('save')} />
    </Dialog>
  );
}

function useSaveRule(proxy: ProxyRecord, rule: ProxyRule | null, onSaved: () => void) {
  const client = useQueryClient();
  const onDone = (changed: ProxyRecord) => {
    showProxy(client, changed);
    toast.ok(rule ? 'Rule saved' : 'Rule added');
    onSaved();
  };
  const add = useAct('POST /api/proxies/:id/rules', { onDone });
  const replace = useAct('PUT /api/proxies/:id/rules/:rule', { onDone });
  const { id, version } = proxy;
  return {
    save: (draft: RuleDraft, newAnswers: 'refuse' | 'save') => {
      const body = { version, newAnswers, ...draft };
      if (rule) replace.mutate({ params: { id, rule: rule.id }, body });
      else add.mutate({ params: { id }, body });
    },
    error: add.error ?? replace.error,
    saving: add.isPending || replace.isPending,
  };
}

/** The proxy as it would be with the typed rule. */
function withDraft(proxy: ProxyRecord, draft: RuleDraft, rule: ProxyRule | null, place: number): ProxyRecord {
  const { pathRewriteSrc, pathRewriteDest } = draft;
  const typed = {
    ...draft,
    id: rule?.id ?? unsaved,
    path: draft.path.trim(),
    pathRewriteDest: pathRewriteSrc === '' ? '' : pathRewriteDest || '/',
  };
  return { ...proxy, rules: proxy.rules.toSpliced(place, rule ? 1 : 0, typed) };
}
