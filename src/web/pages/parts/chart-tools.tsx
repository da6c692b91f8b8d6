import { readable } from "../../../figures/number-text.ts";
import { useKeys } from "../shell/keys.ts";
import { isLog, resetView, setLog, zoom } from "./chart-view.ts";
import { Segments } from "./segments.tsx";

/** How the charts of a page are looked at: their scale, and the stretch that is shown. `brief`: only if it is not the usual one. */
export function ChartTools({ brief = false }: { readonly brief?: boolean }) {
  const part = zoom.value;
  useKeys({ l: () => setLog(!isLog.value), r: resetView });
  if (brief && part === undefined && !isLog.value) return null;
  return (
    <div class="chart-tools">
      <Segments
        label="Vertical scale"
        value={isLog.value ? "log" : "linear"}
        options={[
          ["linear", "Linear"],
          ["log", "Logarithmic"],
        ]}
        onChoose={(scale) => setLog(scale === "log")}
      />
      {part === undefined ? (
        <span class="muted">Drag over a chart to enlarge a stretch.</span>
      ) : (
        <>
          <span>
            {part.axis} {readable(part.low)} to {readable(part.high)}
          </span>
          <button type="button" onClick={resetView}>
            Show all <kbd>R</kbd>
          </button>
        </>
      )}
    </div>
  );
}
