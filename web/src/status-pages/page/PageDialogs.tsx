import type { StatusPost } from '@homeport/contract/status-pages/schema';
import { useNavigate } from '@tanstack/react-router';
import { orSentence } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { addressOf } from '../status-page-texts.ts';
import { ComponentsDialog } from './ComponentsDialog.tsx';
import { EditPageDialog } from './EditPageDialog.tsx';
import { PostDialog } from './PostDialog.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import type { PageDialog, PageDialogProps } from './page-dialog.ts';
import { UpdateDialog } from './UpdateDialog.tsx';

interface Leaving {
  /** The page is being deleted; false: it stays after all. */
  onLeave: (isLeaving: boolean) => void;
}

interface Props extends PageDialogProps, Leaving {
  dialog: PageDialog;
}

export function PageDialogs({ dialog, page, onClose, onLeave }: Props) {
  const props = { page, onClose };
  switch (dialog.kind) {
    case 'edit':
      return <EditPageDialog {...props} />;
    case 'components':
      return <ComponentsDialog {...props} />;
    case 'publish':
      return <PublishDialog {...props} />;
    case 'hide':
      return <HideDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} onLeave={onLeave} />;
    case 'write':
      return <PostDialog {...props} kind={dialog.of} />;
  }
  // Removed elsewhere meanwhile: there is nothing to write of.
  const post = page.posts.find(({ id }) => id === dialog.post);
  if (!post) return null;
  if (dialog.kind === 'update') return <UpdateDialog {...props} post={post} />;
  return <RemovePostDialog {...props} post={post} />;
}

function HideDialog({ page: { id, slug, title, version }, onClose }: PageDialogProps) {
  const hide = useAct('PATCH /api/status-pages/:id', { onDone: () => toast.ok(`${title} is hidden`) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Hide ${title}?`}
      description={`Readers of ${addressOf(slug)} find nothing there any more, and programs neither feed nor badge. You can publish it again.`}
      action="Hide page"
      busyLabel="Hiding"
      onConfirm={() => orSentence(hide.mutateAsync({ params: { id }, body: { version, published: false } }))}
    />
  );
}

function DeleteDialog({ page: { id, slug, title, posts }, onClose, onLeave }: PageDialogProps & Leaving) {
  const navigate = useNavigate();
  const remove = useAct('DELETE /api/status-pages/:id', {
    onDone: () => {
      toast.ok('Status page deleted', { detail: title, page: '/status-pages' });
      void navigate({ to: '/status-pages/{-$id}', params: { id: undefined } });
    },
  });
  const written =
    posts.length === 1 ? 'its 1 incident or maintenance' : `its ${posts.length} incidents and maintenances`;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${title}?`}
      description={`${addressOf(slug)} is gone at once${posts.length > 0 ? `, with ${written}` : ''}. This cannot be undone.`}
      action="Delete status page"
      busyLabel="Deleting"
      onConfirm={() => {
        onLeave(true);
        return orSentence(remove.mutateAsync({ params: { id } })).catch((failure) => {
          onLeave(false);
          throw failure;
        });
      }}
    />
  );
}

function RemovePostDialog({ page, post, onClose }: PageDialogProps & { post: StatusPost }) {
  const remove = useAct('POST /api/status-pages/:id/remove-post', {
    onDone: () => toast.ok(`${post.title} removed`),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${post.title}?`}
      description="It goes from the page and its feed, with all updates. This cannot be undone."
      action="Remove"
      busyLabel="Removing"
      onConfirm={() => orSentence(remove.mutateAsync({ params: { id: page.id }, body: { postId: post.id } }))}
    />
  );
}
