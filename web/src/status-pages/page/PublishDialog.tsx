import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { addressOf } from '../status-page-texts.ts';
import { inGroups } from './components-form.ts';
import type { PageDialogProps } from './page-dialog.ts';

/** Publishes the page after it said what strangers will see. A page that was changed elsewhere meanwhile asks again. */
export function PublishDialog({ page, onClose }: PageDialogProps) {
  const { id, version, slug, title, components, posts } = page;
  const publish = useAct('PATCH /api/status-pages/:id', {
    onDone: () => {
      toast.ok(`${title} is published`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      alert
      onClose={onClose}
      locked={publish.isPending}
      title={`Publish ${title}?`}
      description={`Anybody who knows ${addressOf(slug)} sees it, without signing in.`}
      footer={
        <>
          <Button className={layout.atEnd} disabled={publish.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={publish.isPending}
            busyLabel="Publishing"
            onClick={() => publish.mutate({ params: { id }, body: { version, published: true } })}
          >
            Publish
          </Button>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap3, typography.small)}>
        {publish.error && <ProblemBanner error={publish.error} />}
        <p>Strangers will see:</p>
        <ul>
          <li>the title {title}</li>
          {inGroups(components).map(([group, members]) => (
            <li key={group}>
              {group !== '' && `${group}: `}
              {members.map(({ name }) => name).join(', ')}
            </li>
          ))}
          {components.length > 0 && <li>whether each is up, and how it was in each of the last 90 days</li>}
          {posts.length > 0 && (
            <li>
              {posts.length === 1
                ? '1 incident or maintenance'
                : `${posts.length} incidents and maintenances`}
            </li>
          )}
        </ul>
        {components.length === 0 && <p>There is no component yet, so it says “Nothing is shown here yet”.</p>}
        <p className={typography.muted}>
          They never see a server, an app’s own name, an address that is checked, or why something is down.
        </p>
      </div>
    </Dialog>
  );
}
