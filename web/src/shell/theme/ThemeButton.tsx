import { IconButton } from '../../ui/button/Button.tsx';
import type { IconName } from '../../ui/picture/Icon.tsx';
import { cycleTheme, type Theme, useTheme } from './theme.ts';

const icons: Record<Theme, IconName> = { system: 'screen', light: 'sun', dark: 'moon' };

export function ThemeButton({ className }: { className?: string | undefined }) {
  const theme = useTheme();
  return (
    <IconButton
      size="md"
      iconSize={18}
      icon={icons[theme]}
      label={`Change theme, now ${theme}`}
      onClick={cycleTheme}
      {...(className ? { className } : {})}
    />
  );
}
