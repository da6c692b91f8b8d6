import { Segments } from "../parts/segments.tsx";
import { choose, query } from "../shell/router.ts";

/** Which legal moves a board marks by dots: none, those that are few enough to help, or all. */
export type LegalMarks = "none" | "dots" | "all";

/** What is chosen in the address; dots unless somebody chose otherwise. */
export function legalMarks(): LegalMarks {
  const chosen = query.value.get("legal");
  return chosen === "none" || chosen === "all" ? chosen : "dots";
}

/** Chooses which legal moves are marked; `few` says in words what the usual dots are. */
export function LegalMarksChoice({ few }: { readonly few: string }) {
  return (
    <section class="level" aria-label="Legal moves">
      <h2>
        Legal moves <small>on the board</small>
      </h2>
      <Segments
        label="Legal moves"
        value={legalMarks()}
        options={[
          ["none", "none"],
          ["dots", few],
          ["all", "all"],
        ]}
        onChoose={(each) => choose({ legal: each === "dots" ? undefined : each })}
      />
    </section>
  );
}
