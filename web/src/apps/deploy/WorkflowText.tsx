import { CopyButton } from '../../ui/button/CodeLine.tsx';
import layout from '../../ui/layout/layout.module.css';
import styles from './WorkflowText.module.css';

/** The text of a workflow file, to read and to copy. */
export function WorkflowText({ text }: { text: string }) {
  return (
    <>
      <div className={layout.row}>
        <span className={layout.atEnd}>
          <CopyButton text={text} what="workflow" />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard */}
      <pre className={styles.workflow} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}
