import styles from '../charts.module.css';
import { lineStyle } from '../lines/line-style.ts';
import { type ChartLine, runsOf } from '../lines/lines.ts';

export interface Frame {
  from: number;
  to: number;
  top: number;
}

const width = 1_000;
const height = 400;

/** The lines, each with the band from the lowest to the highest single value of its points. */
export function RangeLines({ lines, frame }: { lines: readonly ChartLine[]; frame: Frame }) {
  return (
    <svg
      className={styles.lines}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map((line, place) => (
        <path
          key={line.key}
          d={bandPath(line, frame)}
          fill={`var(${lineStyle(place).colour})`}
          fillOpacity={0.16}
        />
      ))}
      {lines.map((line, place) => {
        const { colour, dash } = lineStyle(place);
        return (
          <path
            key={line.key}
            d={linePath(line, frame)}
            fill="none"
            stroke={`var(${colour})`}
            strokeWidth={1.8}
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            style={{ strokeDasharray: `var(${dash})` }}
          />
        );
      })}
    </svg>
  );
}

const point = (time: number, value: number, { from, to, top }: Frame) =>
  `${round((width * (time - from)) / (to - from))} ${round(height - (height * value) / top)}`;

const round = (value: number) => Math.round(value * 10) / 10;

/** A lone point is a line of no length, which its round end makes a dot. */
function linePath(line: ChartLine, frame: Frame): string {
  return runsOf(line)
    .map((run) => {
      const points = indexesOf(run).map((index) =>
        point(line.times[index] ?? 0, line.average[index] ?? 0, frame),
      );
      return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`;
    })
    .join('');
}

function bandPath(line: ChartLine, frame: Frame): string {
  return runsOf(line)
    .map((run) => {
      const edge = (values: ChartLine['lowest']) =>
        indexesOf(run).map((index) =>
          point(line.times[index] ?? 0, values[index] ?? line.average[index] ?? 0, frame),
        );
      return `M${[...edge(line.highest), ...edge(line.lowest).reverse()].join('L')}Z`;
    })
    .join('');
}

const indexesOf = ([first, last]: readonly [number, number]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
