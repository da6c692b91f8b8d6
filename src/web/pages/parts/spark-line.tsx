import type { CurvePointShown } from "../../views/run-views.ts";

const WIDTH = 112;
const HEIGHT = 36;

/** A learning curve with its band, as small as a line of text; the row beside it shows its last value. */
export function SparkLine({ curve }: { readonly curve: readonly CurvePointShown[] }) {
  if (curve.length < 2) return null;
  const values = curve.flatMap(([, value, low, high]) => [value, low ?? value, high ?? value]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [curve[0]![0], curve.at(-1)![0]];
  const x = (at: number) => 3 + ((at - first) / (last - first || 1)) * (WIDTH - 8);
  const y = (value: number) => HEIGHT - 4 - ((value - least) / (most - least || 1)) * (HEIGHT - 8);
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const banded = curve.filter(([, , low, high]) => low !== null && high !== null);
  const band = `M${path(banded.map(([at, , , high]) => [at, high!]))}L${path(banded.map(([at, , low]) => [at, low!] as const).toReversed())}Z`;
  const end = curve.at(-1)!;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {banded.length > 1 && <path class="spark-band" d={band} />}
      <path class="spark-line" d={`M${path(curve.map(([at, value]) => [at, value]))}`} />
      <circle class="spark-end" cx={x(end[0])} cy={y(end[1])} r="3" />
    </svg>
  );
}
