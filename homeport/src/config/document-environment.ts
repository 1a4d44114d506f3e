import { type Setting, type SettingName, settings } from './settings.ts';

/** The unit names the data folder, may write nowhere else, and runs no demo. */
const ofNoService: readonly SettingName[] = ['HOMEPORT_DATA', 'HOMEPORT_DEMO', 'HOMEPORT_DEMO_FLEET'];

const width = 100;

/** `packaging/homeport.env`: every setting of a service, none of them set. The Debian package brings the file as /etc/homeport/homeport.env. */
export function environmentFile(): string {
  const offered = Object.entries<Setting>(settings).filter(
    ([name]) => !ofNoService.some((each) => each === name),
  );
  return [
    comment(
      'Settings of Homeport. The service reads this file when it starts: `systemctl restart homeport` after a change. An upgrade leaves what you wrote here.',
    ),
    '#',
    comment(
      'To set a value, take the # before its name away and write the value after the =, without quotation marks. A setting without a value has its default. The value of a secret may also stand in a file: NAME_FILE=/path/of/the/file.',
    ),
    ...offered.map(([name, { purpose, value, byDefault, isSecret }]) =>
      [
        '',
        comment(`${purpose}${isSecret ? ' Secret.' : ''}`),
        comment(`Value: ${value}. Default: ${byDefault}.`),
        `#${name}=`,
      ].join('\n'),
    ),
    '',
  ].join('\n');
}

function comment(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}
