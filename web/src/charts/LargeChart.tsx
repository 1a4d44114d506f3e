import { chartSeriesAtMost } from '@homeport/contract/charts/facts';
import type { ChartMarks } from '@homeport/contract/charts/schema';
import { type ReactNode, useRef, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { Page } from '../page-frame/Page.tsx';
import { Button } from '../ui/button/Button.tsx';
import { useCopy } from '../ui/button/use-copy.ts';
import { Failed } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';
import { Icon } from '../ui/picture/Icon.tsx';
import { saveFile } from '../ui/save-file.ts';
import { formatDateTime } from '../ui/text/format.ts';
import { ChartBar, type ChartChoice } from './ChartBar.tsx';
import { ChartBody } from './ChartBody.tsx';
import { topOf } from './lines/lines.ts';
import type { Measure } from './lines/measures.ts';
import { useLines } from './lines/use-lines.ts';
import { rangeBetween, type ShownRange } from './range/range.ts';
import { resolutionText } from './range/resolution-text.ts';
import { chartFileName, csvOf } from './save/chart-file.ts';
import { savePicture } from './save/chart-picture.ts';

export interface LargeChartProps extends ChartChoice {
  crumbs: ReactNode;
  measure: Measure;
  marks: ChartMarks | undefined;
}

/** One measure of up to eight servers or apps over any range. */
export function LargeChart(props: LargeChartProps) {
  const { measure, measureName, range, subjects, onRange, onCompare } = props;
  const [asTable, setAsTable] = useState(false);
  const [withMarks, setWithMarks] = useState(true);
  const { lines, first, stale, error, retry } = useLines(subjects, measure);
  const { go, back } = useWayBack(range, onRange);
  const panel = useRef<HTMLDivElement>(null);
  const frame = first && { from: first.from, to: first.to, top: topOf(lines, measure.scale) };
  const [subject] = subjects;
  const title = `${measure.title}, ${subject?.name ?? ''}`;
  const said = first && `${formatDateTime(first.from)} to ${formatDateTime(first.to)}`;
  const fileName = (ending: 'csv' | 'png') =>
    chartFileName(
      [subject?.name ?? 'chart', measureName, new Date(first?.to ?? 0).toISOString().slice(0, 10)],
      ending,
    );
  const saveReason = lines.some(({ times }) => times.length > 0) ? null : 'There is nothing to save yet.';
  return (
    <Page
      title={title}
      crumbs={props.crumbs}
      meta={
        first && (
          <>
            <span>
              <Icon name="clock" size={16} />
              {said}
            </span>
            <span>{resolutionText(first, measureName === 'answer-time' ? 'check' : 'report')}</span>
          </>
        )
      }
      actions={
        <>
          <Button
            icon="download"
            disabledReason={saveReason}
            onClick={() => saveFile(fileName('csv'), new Blob([csvOf(lines, measure)], { type: 'text/csv' }))}
          >
            CSV
          </Button>
          <Button
            icon="download"
            disabledReason={saveReason}
            onClick={() => {
              if (panel.current && frame)
                savePicture({
                  ...{ element: panel.current, fileName: fileName('png'), title, range: said ?? '' },
                  ...{ lines, frame, format: measure.format },
                });
            }}
          >
            PNG
          </Button>
          <CopyLink />
        </>
      }
    >
      <div ref={panel}>
        <Panel body="flush" busy={!first || stale}>
          <ChartBar
            {...props}
            {...{ asTable, setAsTable, withMarks, setWithMarks }}
            shown={first}
            onRange={go}
            full={subjects.length >= chartSeriesAtMost}
          />
          {error && !first ? (
            <Failed title="The chart could not be loaded" onRetry={retry} level={2}>
              {problemText(error)}
            </Failed>
          ) : (
            <ChartBody
              {...{
                title,
                lines,
                frame,
                measure,
                asTable,
                stale,
                measured: subjects.some(({ series }) => series),
              }}
              stepMs={first?.stepMs ?? 1}
              marks={withMarks ? props.marks : undefined}
              onRemove={(key) =>
                onCompare(subjects.slice(1).flatMap((each) => (each.key === key ? [] : [each.key])))
              }
              onZoom={(from, to) => go(rangeBetween(from, to))}
              onBack={back}
            />
          )}
        </Panel>
      </div>
    </Page>
  );
}

/** Remembers the ranges from which this page came, for Escape. */
function useWayBack(range: ShownRange, onRange: (range: ShownRange) => void) {
  const earlier = useRef<ShownRange[]>([]);
  return {
    go(next: ShownRange) {
      earlier.current.push(range);
      onRange(next);
    },
    back() {
      const last = earlier.current.pop();
      if (last) onRange(last);
    },
  };
}

function CopyLink() {
  const { state, copy } = useCopy();
  const text = { idle: 'Copy link', copied: 'Copied', failed: 'Not copied' }[state];
  return (
    <Button
      variant="primary"
      icon={state === 'copied' ? 'check' : 'link'}
      onClick={() => copy(location.href)}
    >
      {text}
    </Button>
  );
}
