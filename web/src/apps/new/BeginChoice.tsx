import { starterNames, starterTitles } from '@homeport/contract/apps/facts';
import { useApi } from '../../data/use-api.ts';
import { TextField } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/Select.tsx';
import type { AppDraft, BeginChoice as Begin, DraftField } from './app-draft.ts';
import styles from './new-app.module.css';

const help: Record<Begin, string> = {
  empty: 'You push your own code once the app is there.',
  repository: 'The server fetches the branch and deploys it. The repository stays linked to the app.',
  static: 'One page of HTML, deployed at once. You change it later with git.',
  node: 'A small server, deployed at once. You change it later with git.',
  python: 'A small server, deployed at once. You change it later with git.',
  dockerfile: 'A small image, for any language. It is deployed at once, and you change it later with git.',
};

const options: readonly { value: Begin; label: string }[] = [
  { value: 'empty', label: 'Nothing yet' },
  { value: 'repository', label: 'A repository on GitHub' },
  ...starterNames.map((name) => ({ value: name, label: `Starter: ${starterTitles[name]}` })),
];

export interface BeginChoiceProps {
  draft: Pick<AppDraft, 'begin'>;
  change: (part: Partial<AppDraft>) => void;
}

export function BeginChoice({ draft, change }: BeginChoiceProps) {
  return (
    <Select
      label="Begin with"
      className={styles.name}
      value={draft.begin}
      help={help[draft.begin]}
      options={options}
      onChange={(event) => {
        const chosen = options.find(({ value }) => value === event.currentTarget.value);
        if (chosen) change({ begin: chosen.value });
      }}
    />
  );
}

export interface RepositoryFieldsProps {
  draft: Pick<AppDraft, 'repository' | 'branch'>;
  change: (part: Partial<AppDraft>) => void;
  problemOf: (field: DraftField) => string | undefined;
}

/** The repository and the branch that is deployed. */
export function RepositoryFields({ draft, change, problemOf }: RepositoryFieldsProps) {
  const account = useApi('GET /api/github').data?.account;
  return (
    <div className={styles.pair}>
      <TextField
        label="Repository"
        mono
        autoComplete="off"
        spellCheck={false}
        placeholder="owner/name"
        value={draft.repository}
        error={problemOf('begin.fullName')}
        help={
          account ? undefined : 'A private one needs your GitHub account, which you link in your profile.'
        }
        onChange={(event) => change({ repository: event.currentTarget.value })}
      />
      <TextField
        label="Branch"
        mono
        autoComplete="off"
        spellCheck={false}
        value={draft.branch}
        error={problemOf('begin.branch')}
        onChange={(event) => change({ branch: event.currentTarget.value })}
      />
    </div>
  );
}
