import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import chartStyles from './chart.module.css';
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

/** Draws the lines and areas on a canvas. Axes, bands, gaps and the crosshair are elements around it. */
export function Lines({ times, values, series, top, stack }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const draw = () => {
      return new uPlot(
        options(element, { times, values, series, top, stack }),
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
    // The canvas holds computed colours, so a change of theme draws it again.
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

  return <div ref={box} className={chartStyles.lines} />;
}

function options(element: HTMLElement, { times, values, series, top, stack }: LinesProps): uPlot.Options {
  const { from, to } = extent(times);
  const drawn = stack ? series.toReversed() : series;
  const style = getComputedStyle(element);
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
        const colour = colourOf(element, `--series-${each.colour}`);
        const place = series.indexOf(each) + 1;
        const fill = stack ? translucent(colour, 85) : each.area ? translucent(colour, 10) : undefined;
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
          ...(stack || place === 1 ? {} : { dash: dashOf(style.getPropertyValue(`--dash-${place}`).trim()) }),
          ...(fill ? { fill } : {}),
        };
      }),
    ],
  };
}

/**
 * A canvas does not accept `light-dark()`, and a custom property keeps it as text. Therefore an element
 * computes the colour in the current color scheme.
 */
function colourOf(element: HTMLElement, token: string): string {
  const probe = element.appendChild(document.createElement('i'));
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const translucent = (colour: string, percent: number) =>
  `color-mix(in srgb, ${colour} ${percent}%, transparent)`;

const dashOf = (value: string): number[] => (value === 'none' ? [] : value.split(' ').map(Number));
