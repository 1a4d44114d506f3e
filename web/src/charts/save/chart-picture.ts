import { saveFile } from '../../ui/save-file.ts';
import { lineStyle } from '../lines/line-style.ts';
import { type ChartLine, runsOf } from '../lines/lines.ts';
import type { Frame } from '../plot/RangeLines.tsx';
import { timeTicks } from '../range/time-ticks.ts';

export interface Picture {
  /** An element of the page, which knows the colours and the fonts of the present look. */
  element: HTMLElement;
  fileName: string;
  title: string;
  range: string;
  lines: readonly ChartLine[];
  frame: Frame;
  format: (value: number) => string;
}

const [width, height] = [1_920, 1_080];
const plot = { left: 130, top: 130, right: 50, bottom: 110 };

/** Draws the chart again on a canvas, because the page's policy lets no picture be made of its own markup, and saves it. */
export function savePicture(picture: Picture): void {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const colour = colours(picture.element);
  const font = getComputedStyle(picture.element).fontFamily;
  const write = (text: string, x: number, y: number, size: number, token: string) => {
    pen.font = `${size}px ${font}`;
    pen.fillStyle = colour(token);
    pen.fillText(text, x, y);
  };
  pen.fillStyle = colour('--surface');
  pen.fillRect(0, 0, width, height);
  write(picture.title, plot.left, 50, 32, '--text');
  write(picture.range, plot.left, 84, 20, '--text-muted');
  const { x, y } = axes(picture.frame);
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const value = part * picture.frame.top;
    pen.fillStyle = colour('--chart-grid');
    pen.fillRect(plot.left, y(value), width - plot.left - plot.right, 1);
    write(value === 0 ? '0' : picture.format(value), 16, y(value) + 6, 18, '--chart-axis');
  }
  for (const { at, label } of timeTicks(picture.frame.from, picture.frame.to))
    write(label, x(at) - 24, height - plot.bottom + 32, 18, '--chart-axis');
  let left = plot.left;
  for (const [place, line] of picture.lines.entries()) {
    const { colour: token, dash } = lineStyle(place);
    pen.save();
    // A point that began before the range lies beside the plot.
    pen.beginPath();
    pen.rect(plot.left - 3, 0, width - plot.left - plot.right + 6, height);
    pen.clip();
    drawLine(pen, line, { x, y }, colour(token), dashOf(picture.element, dash));
    pen.restore();
    write(`■ ${line.name}`, left, height - 30, 20, token);
    left += pen.measureText(`■ ${line.name}`).width + 40;
  }
  canvas.toBlob((blob) => blob && saveFile(picture.fileName, blob), 'image/png');
}

type Axes = { x: (time: number) => number; y: (value: number) => number };

function axes({ from, to, top }: Frame): Axes {
  return {
    x: (time) => plot.left + ((width - plot.left - plot.right) * (time - from)) / (to - from),
    y: (value) => height - plot.bottom - ((height - plot.top - plot.bottom) * value) / top,
  };
}

function drawLine(
  pen: CanvasRenderingContext2D,
  { times, average, lowest, highest, ...line }: ChartLine,
  { x, y }: Axes,
  colour: string,
  dash: number[],
): void {
  for (const [first, last] of runsOf({ times, average, ...line })) {
    const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const trace = (places: readonly number[], values: ChartLine['average']) => {
      for (const index of places) pen.lineTo(x(times[index] ?? 0), y(values[index] ?? average[index] ?? 0));
    };
    pen.beginPath();
    trace(indexes, highest);
    trace(indexes.toReversed(), lowest);
    pen.globalAlpha = 0.16;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.beginPath();
    trace(indexes, average);
    pen.strokeStyle = colour;
    pen.lineWidth = 3;
    pen.setLineDash(dash);
    pen.stroke();
  }
}

/** A canvas takes no custom property, so an element computes each colour in the page's present look. */
function colours(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.color = `var(${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function dashOf(element: HTMLElement, token: string): number[] {
  const dash = getComputedStyle(element).getPropertyValue(token).trim();
  return dash === 'none' ? [] : dash.split(' ').map((part) => Number(part) * 2);
}
