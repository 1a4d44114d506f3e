import { lazy, Suspense, useSyncExternalStore } from 'react';
import { questionStore } from './questions.ts';

const QuestionDialog = lazy(async () => ({
  default: (await import('./QuestionDialog.tsx')).QuestionDialog,
}));

/** Shows the questions of all openings, one at a time. Mounted once, in the frame. */
export function ConnectionQuestions() {
  const question = useSyncExternalStore(questionStore.subscribe, questionStore.first);
  if (!question) return null;
  return (
    <Suspense fallback={null}>
      <QuestionDialog key={question.id} question={question} />
    </Suspense>
  );
}
