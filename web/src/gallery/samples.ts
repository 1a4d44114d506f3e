import { messages } from '@homeport/contract/messages';
import type { ChartData } from '../ui/chart/chart-types.ts';
import type { Step } from '../ui/dialog/Steps.tsx';
import type { StatusName } from '../ui/feedback/Status.tsx';
import type { LogLine } from '../ui/log/log-lines.ts';

export interface SampleRow {
  name: string;
  ip: string;
  status: StatusName;
  ram: number | null;
  rate: number | null;
}

export const rows: readonly SampleRow[] = [
  { name: 'lantern', ip: '203.0.113.24', status: 'online', ram: 74, rate: 1_887_436 },
  { name: 'skerry', ip: '203.0.113.7', status: 'online', ram: 83, rate: 317_440 },
  { name: 'fairway', ip: '198.51.100.7', status: 'offline', ram: 96, rate: null },
  { name: 'mole-two', ip: '198.51.100.140', status: 'no-data', ram: null, rate: null },
];

/** Those of ui/css/tokens.css that a designer chooses from. */
export const colours = [
  ...['bg', 'surface', 'surface-sunken', 'surface-hover', 'surface-active', 'surface-selected'],
  ...['border', 'border-strong', 'border-control', 'text', 'text-muted', 'text-subtle'],
  ...['accent', 'primary', 'lamp', 'lamp-strong', 'mark', 'focus'],
  ...['info', 'success', 'warning', 'danger', 'info-soft', 'success-soft', 'warning-soft', 'danger-soft'],
  ...['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'],
];

export interface Sizes {
  name: string;
  /** `--text-…` */
  token: string;
  px: number;
  heavy?: boolean;
  mono?: boolean;
}

export const sizes: readonly Sizes[] = [
  { name: '3xl', token: '3xl', px: 34, heavy: true },
  { name: '2xl', token: '2xl', px: 26, heavy: true },
  { name: 'xl', token: 'xl', px: 20, heavy: true },
  { name: 'lg', token: 'lg', px: 16, heavy: true },
  { name: 'md', token: 'md', px: 14 },
  { name: 'sm', token: 'sm', px: 13 },
  { name: 'xs', token: 'xs', px: 12 },
  { name: 'mono', token: 'sm', px: 13, mono: true },
];

/** When the shown samples were loaded. */
export const loadedAt = Date.UTC(2026, 10, 21, 13, 52);

const minutes = [0, 3, 6, 9, 12, 15, 18, 21, 24, 36, 39, 42, 45, 48, 51, 54, 57];
const start = Date.UTC(2026, 10, 21, 13, 8);
const times = minutes.map((minute) => start + minute * 60_000);
const wave = (base: number, height: number, phase: number) =>
  minutes.map((minute) => Math.round(base + height * Math.sin(minute / 8 + phase) ** 2));

export const chartSamples = {
  network: {
    state: 'ready',
    times,
    series: [
      { key: 'rx', label: 'Received', colour: 1, area: true, values: wave(620_000, 1_100_000, 0) },
      { key: 'tx', label: 'Sent', colour: 2, values: wave(280_000, 400_000, 0) },
    ],
  },
  cpu: {
    state: 'ready',
    times,
    series: [
      { key: 'load', label: 'Load average', colour: 1, area: true, values: wave(18, 70, 0.4) },
      { key: 'cpu', label: 'CPU', colour: 3, values: wave(20, 60, 0.2) },
      { key: 'io', label: 'I/O wait', colour: 4, values: wave(2, 6, 0) },
    ],
  },
  times: {
    state: 'ready',
    times,
    series: [
      { key: 'dns', label: 'DNS', colour: 5, values: wave(4, 6, 0) },
      { key: 'tcp', label: 'TCP', colour: 3, values: wave(12, 8, 1) },
      { key: 'tls', label: 'TLS', colour: 4, values: wave(24, 10, 2) },
      { key: 'first', label: 'First byte', colour: 1, values: wave(60, 80, 0) },
      { key: 'transfer', label: 'Transfer', colour: 2, values: wave(10, 12, 1) },
    ],
  },
} as const satisfies Record<string, ChartData>;

const csi = '\u001b[';
const texts = [
  '$ dokku apps:create ledger-api',
  `${csi}36m----->${csi}0m Creating ledger-api...`,
  `       ${csi}32mDone${csi}0m`,
  `${csi}36m----->${csi}0m Adding key ines-laptop`,
  ` ${csi}33m!${csi}0m     ${csi}33m${messages.keyAlreadyAdded}${csi}0m`,
  '       Pulling 10 %\r       Pulling 100 %',
  `${csi}1;31m !     Something failed${csi}0m`,
  `       ${csi}2mAttempt 1 of 5${csi}0m`,
];

export const logSample: readonly LogLine[] = texts.map((text, index) => ({
  number: index + 1,
  text,
  at: start + index * 1_000,
}));

export const longLog: readonly LogLine[] = Array.from({ length: 4_000 }, (_, index) => ({
  number: index + 1,
  text: `${texts[index % texts.length]} (${index + 1})`,
}));

export const stepSample: readonly Step[] = [
  { key: 'create', title: 'Create the app', state: 'done', elapsedMs: 14_000 },
  { key: 'record', title: 'Save the record', state: 'done', elapsedMs: 1_000 },
  { key: 'users', title: 'Set users', state: 'warned', elapsedMs: 3_000, note: '1 key skipped' },
  { key: 'https', title: 'Enable HTTPS', state: 'running', elapsedMs: 9_000 },
  { key: 'finish', title: 'Finished', state: 'waiting' },
];
