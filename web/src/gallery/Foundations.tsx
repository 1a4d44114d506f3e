import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { EmptySpot } from '../ui/picture/EmptySpot.tsx';
import { HomePaper } from '../ui/picture/HomePaper.tsx';
import { Icon } from '../ui/picture/Icon.tsx';
import { Mark, Wordmark } from '../ui/picture/Logo.tsx';
import { RoadsPaper } from '../ui/picture/RoadsPaper.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './Foundations.module.css';
import { colours, type Sizes, sizes } from './samples.ts';

/** What every block is made of: colours, sizes of type and the drawings. */
export function Foundations() {
  return (
    <div className={classNames(layout.stack, layout.gap5)} id="foundations">
      <Panel title="Colour">
        <ul className={styles.colours}>
          {colours.map((colour) => (
            <li key={colour} className={typography.extraSmall}>
              <i style={{ background: `var(--${colour})` }} />
              {colour}
            </li>
          ))}
        </ul>
      </Panel>
      <div className={layout.twoColumns}>
        <Panel title="Type">
          <dl className={styles.sizes}>
            {sizes.map((size) => (
              <SizeOfType key={size.name} {...size} />
            ))}
          </dl>
        </Panel>
        <Panel title="Drawings">
          <div className={styles.drawings}>
            <span className={classNames(layout.row, layout.gap3)}>
              <Mark />
              <Wordmark />
              <Icon name="anchor" />
            </span>
            <div className={styles.roads}>
              <RoadsPaper />
            </div>
            <div className={styles.mouth}>
              <HomePaper />
            </div>
            <EmptySpot />
          </div>
        </Panel>
      </div>
    </div>
  );
}

function SizeOfType({ name, token, px, heavy, mono }: Sizes) {
  return (
    <div>
      <dt className={classNames(typography.extraSmall, typography.subtle)}>
        {name}, {px} px
      </dt>
      <dd
        className={classNames(heavy && typography.strong, mono && typography.monospace)}
        style={{ fontSize: `var(--text-${token})` }}
      >
        {mono ? '203.0.113.24 Il1 O0 {}' : 'Three lights, 0.42 load'}
      </dd>
    </div>
  );
}
