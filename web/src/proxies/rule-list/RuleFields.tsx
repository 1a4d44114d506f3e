import { proxyLimits } from '@homeport/contract/proxies/facts';
import { RadioCards } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import { Textarea } from '../../ui/form/Textarea.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import type { RuleDraft, RuleField } from './rule-draft.ts';
import styles from './rules.module.css';

export interface RuleFieldsProps {
  draft: RuleDraft;
  domain: string;
  problemOf: (field: RuleField) => string | undefined;
  onChange: (part: Partial<RuleDraft>) => void;
}

const types = [
  { value: 'simple', label: 'Simple', note: 'The target gets the path as it is' },
  { value: 'subdirectory', label: 'Subdirectory', note: 'The target lives under this path' },
] as const;

export function RuleFields({ draft, domain, problemOf, onChange }: RuleFieldsProps) {
  const text = (field: Exclude<RuleField, 'type'>) => ({
    mono: true,
    autoComplete: 'off',
    value: draft[field],
    error: problemOf(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <>
      <RadioCards legend="Type" value={draft.type} options={types} onChange={(type) => onChange({ type })} />
      <div className={controlsStyles.pair}>
        <TextField label="Path" placeholder="/blog" maxLength={proxyLimits.pathLength} {...text('path')} />
        <TextField
          label="Target"
          placeholder="https://blog.example.net"
          inputMode="url"
          maxLength={proxyLimits.targetLength}
          {...text('target')}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label="Rewrite"
          optional
          placeholder="/old"
          maxLength={proxyLimits.rewriteLength}
          help="A path from its beginning, or a pattern that begins with ^."
          {...text('pathRewriteSrc')}
        />
        <Icon name="arrowright" size={16} />
        <TextField
          label="to"
          optional
          placeholder="/"
          maxLength={proxyLimits.pathLength}
          help="An empty destination becomes /."
          {...text('pathRewriteDest')}
        />
      </div>
      <div className={controlsStyles.pair}>
        <TextField label="X-Forwarded-Host" optional placeholder={domain} {...text('xForwardedHost')} />
        <TextField
          label="Path prefix"
          optional
          placeholder="/store/7"
          maxLength={proxyLimits.pathLength}
          {...text('proxyPathPrefix')}
        />
      </div>
      <Textarea
        label="Injection"
        optional
        rows={3}
        spellCheck={false}
        placeholder="HTML added before the end of the head"
        help="Goes into whole pages of this rule. A page’s own content policy can block it, and is never weakened."
        {...text('injection')}
      />
    </>
  );
}
