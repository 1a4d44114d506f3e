import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartSeries } from './chart-types.ts';
import { extent, lonely, type Value } from './series.ts';

export interface LinesProps {
  times: readonly number[];
  values: readonly (readonly Value[])[];
  series: readonly ChartSeries[];
  top: number;
  stack: boolean;
}

const lineWidth = 1.6;

/** The lines and areas on a canvas; axes, bands, gaps and crosshair are elements around it. */
export function Lines({ times, values, series, top, stack }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const draw = () => {
      const style = getComputedStyle(document.documentElement);
      return new uPlot(
        options(element, { times, values, series, top, stack }, (name) =>
          style.getPropertyValue(name).trim(),
        ),
        [
          times.slice(),
          ...(stack ? values.toReversed() : values).map((each) => each.slice()),
        ] as uPlot.AlignedData,
        element,
      );
    };
    let plot = draw();
    const resize = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    resize.observe(element);
    // The canvas holds resolved colours: it is drawn anew when the theme changes.
    const repaint = () => {
      plot.destroy();
      plot = draw();
    };
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', repaint);
    return () => {
      resize.disconnect();
      theme.disconnect();
      scheme.removeEventListener('change', repaint);
      plot.destroy();
    };
  }, [times, values, series, top, stack]);

  return <div ref={box} className="lines" />;
}

function options(
  element: HTMLElement,
  { times, values, series, top, stack }: LinesProps,
  token: (name: string) => string,
): uPlot.Options {
  const { from, to } = extent(times);
  const drawn = stack ? series.toReversed() : series;
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [0, 0, 0, 0],
    axes: [{ show: false }, { show: false }],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: () => [from, to] }, y: { range: () => [0, top] } },
    series: [
      {},
      ...drawn.map((each) => {
        const colour = token(`--series-${each.colour}`);
        const place = series.indexOf(each) + 1;
        const fill = stack ? `${colour}d9` : each.area ? `${colour}1a` : undefined;
        return {
          stroke: colour,
          width: stack ? 1 : lineWidth,
          spanGaps: false,
          points: {
            show: true,
            size: 5,
            stroke: colour,
            fill: colour,
            filter: () => lonely(values[place - 1] ?? []),
          },
          ...(stack || place === 1 ? {} : { dash: dashOf(token(`--dash-${place}`)) }),
          ...(fill ? { fill } : {}),
        };
      }),
    ],
  };
}

const dashOf = (value: string): number[] => (value === 'none' ? [] : value.split(' ').map(Number));
