/** The tokens of each line of a chart. Eight lines have six colours, so no two lines share a colour and a dash pattern. */
export function lineStyle(place: number): { colour: string; dash: string } {
  const number = (place % 6) + 1;
  return { colour: `--series-${number}`, dash: `--dash-${place < 6 ? number : number + 2}` };
}
