import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { sessionKey } from '../../data/session-key.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import { scalePicture } from './scale-picture.ts';

/** The ways to a picture of the person, and back to the initials. */
export function PictureActions() {
  const { user, githubLinked } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { choose, fetchFromGithub, remove, busy, problem } = usePicture();
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
        <Button
          size="sm"
          icon="upload"
          busy={busy === 'choosing'}
          busyLabel="Saving"
          onClick={() => input.current?.click()}
        >
          Choose picture
        </Button>
        {githubLinked && (
          <Button
            size="sm"
            icon="branch"
            busy={busy === 'fetching'}
            busyLabel="Fetching"
            onClick={fetchFromGithub}
          >
            Use GitHub picture
          </Button>
        )}
        <Button
          size="sm"
          icon="trash"
          busy={busy === 'removing'}
          busyLabel="Removing"
          disabledReason={user.avatar === null ? 'You have no picture.' : null}
          onClick={remove}
        >
          Remove picture
        </Button>
      </div>
      <div className={controlsStyles.note} aria-live="polite">
        {problem === null ? (
          <p className={controlsStyles.help}>
            PNG, JPEG or WebP. This browser scales it down, and only you see it.
          </p>
        ) : (
          <p className={controlsStyles.error}>
            <Icon name="danger" size={14} />
            {problem}
          </p>
        )}
      </div>
      <input
        ref={input}
        className={layout.visuallyHidden}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        tabIndex={-1}
        aria-label="File of the picture"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void choose(file);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function usePicture() {
  const client = useQueryClient();
  const [scaling, setScaling] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const actions = (told: string) => ({
    onDone: () => {
      setProblem(null);
      toast.ok(told);
      void client.invalidateQueries({ queryKey: sessionKey });
    },
    onFailed: (error: Error) => setProblem(problemText(error)),
  });
  const keep = useAct('PUT /api/profile/avatar', actions('Picture saved'));
  const fetching = useAct('POST /api/profile/avatar/from-github', actions('Picture saved'));
  const removing = useAct('DELETE /api/profile/avatar', actions('Picture removed'));
  const choose = async (file: Blob) => {
    setScaling(true);
    const scaled = await scalePicture(file);
    setScaling(false);
    if (scaled.kind === 'refused') setProblem(scaled.reason);
    else keep.mutate({ body: { picture: scaled.base64 } });
  };
  const busy: 'choosing' | 'fetching' | 'removing' | null =
    scaling || keep.isPending
      ? 'choosing'
      : fetching.isPending
        ? 'fetching'
        : removing.isPending
          ? 'removing'
          : null;
  return {
    choose,
    fetchFromGithub: () => fetching.mutate({}),
    remove: () => removing.mutate({}),
    busy,
    problem,
  };
}
