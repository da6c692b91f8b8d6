import { useSignal } from "@preact/signals";
import { fixed, percent } from "../../../figures/number-text.ts";
import type {
  AnalysisState,
  GameView,
  PositionShown,
  ThoughtShown,
  TurningPoint,
} from "../../views/game-views.ts";
import { MoveBar } from "../boards/move-bar.tsx";
import { PieceIcon } from "../boards/piece-shape.tsx";
import { shortMove } from "../boards/short-move.ts";
import { lostSince } from "../shell/contact.ts";
import { ANALYST_SEES, type Overlays } from "./overlays.ts";
import { expectedText } from "./expected-text.ts";

/** Maximum number of moves listed. */
const MOST_MOVES = 8;

/** What the player of a decision thought: its moves with visits, priors and values, and what each seat could expect. */
export function ThoughtPanel({
  analysis,
  chosen,
  names,
  onAnalyse,
  onChoose,
  onOverlay,
  onOwn,
  opinion,
  overlays,
  point,
  position,
  unit,
  view,
}: {
  readonly view: GameView;
  readonly names: readonly string[];
  readonly position: PositionShown | undefined;
  readonly point: TurningPoint | undefined;
  readonly unit: string;
  /** The index of the move that somebody looks at. */
  readonly chosen: number | undefined;
  readonly onChoose: (move: number | undefined) => void;
  readonly overlays: Overlays;
  readonly onOverlay: (name: keyof Overlays) => void;
  readonly analysis: AnalysisState | undefined;
  /** The analysis whose thoughts `position` has; undefined: it has those of the players. */
  readonly opinion: AnalysisState | undefined;
  readonly onAnalyse: (by: string) => Promise<void>;
  /** Shows the players' own thoughts again. */
  readonly onOwn: () => void;
}) {
  const { mover, thought } = position ?? {};
  const who = mover === undefined ? undefined : names[mover];
  const hidden = view.seen !== undefined && mover !== undefined && mover !== view.seen;
  const by = opinion?.by;
  return (
    <section class="panel thought">
      <h2>
        {by === undefined ? (who === undefined ? "Thoughts" : `What ${who} thought`) : `What ${by} says`}{" "}
        <small>{position !== undefined && `before ply ${fixed(position.ply + 1, 0)}`}</small>
      </h2>
      {mover === undefined ? (
        <p class="muted">
          {position !== undefined && position.ply >= view.plies
            ? "The game is over."
            : "Chance moves here: nobody decides."}
        </p>
      ) : hidden ? (
        <p class="muted">Another player decides here: what it holds and thinks is hidden from this seat.</p>
      ) : thought === undefined ? (
        <p class="muted">
          {opinion?.state === "running"
            ? `${by} has not come to this decision yet.`
            : opinion !== undefined || view.kept === "thoughts"
              ? "Nothing is known of this decision: a move of an opening, or a player without estimates."
              : "What the players thought was not kept."}
        </p>
      ) : (
        <Thought
          thought={thought}
          who={who!}
          by={by}
          view={view}
          mover={mover}
          unit={unit}
          point={point}
          chosen={chosen}
          onChoose={onChoose}
          names={names}
        />
      )}
      {thought === undefined && who !== undefined && point !== undefined && !hidden && (
        <Drop point={point} who={who} />
      )}
      {(opinion !== undefined || view.kept === "thoughts") && (
        <fieldset class="overlays">
          <legend class="hidden">On the board</legend>
          {(Object.keys(ANALYST_SEES) as (keyof Overlays)[]).map((name) => (
            <label key={name}>
              <input type="checkbox" checked={overlays[name]} onChange={() => onOverlay(name)} />{" "}
              {ANALYST_SEES[name]}
            </label>
          ))}
        </fieldset>
      )}
      <AnalyseForm view={view} analysis={analysis} opinion={opinion} onAnalyse={onAnalyse} onOwn={onOwn} />
    </section>
  );
}

function Thought({
  by,
  chosen,
  mover,
  names,
  onChoose,
  point,
  thought,
  unit,
  view,
  who,
}: {
  readonly thought: ThoughtShown;
  readonly who: string;
  /** The analyst of the decision; undefined: the player that made it. */
  readonly by: string | undefined;
  readonly mover: number;
  readonly view: GameView;
  readonly names: readonly string[];
  readonly unit: string;
  readonly point: TurningPoint | undefined;
  readonly chosen: number | undefined;
  readonly onChoose: (move: number | undefined) => void;
}) {
  const { legal, loss, moves, net, values, visits } = thought;
  if (legal === 1 && visits === 0)
    return (
      <p class="thought-sentence">
        <b>{who}</b> had no choice: <b>{shortMove(view, moves[0]?.move ?? "")}</b> was its only move.
      </p>
    );
  const played = moves.find((each) => each.played);
  const most = Math.max(1, ...moves.map((each) => each.visits));
  const total = Math.max(1, visits);
  const prior = moves.some((each) => each.prior !== undefined);
  const mostPrior = Math.max(most / total, ...moves.map((each) => each.prior ?? 0));
  const theNet = by === undefined ? "Its net" : `The net of ${by}`;
  const facts = [
    `${fixed(legal, 0)} legal ${legal === 1 ? "move" : "moves"}${visits > 0 ? `, ${fixed(visits, 0)} simulations` : ""}.`,
    net === undefined
      ? ""
      : net.rank === 1
        ? `${theNet} alone would play this move.`
        : `${theNet} alone puts this move ${ordinal(net.rank)}.`,
    loss !== undefined && loss > 0 ? `The move loses ${expectedText(loss)} against the best one.` : "",
  ].filter(Boolean);
  return (
    <>
      <p class="thought-sentence">
        <b>{who}</b> played <b>{shortMove(view, played?.move ?? "another move")}</b>
        {by === undefined ? ", expecting" : `; ${by} expects`} <b>{expectedText(values[mover], unit)}</b>
        {by === undefined ? "." : " there."}
      </p>
      <p class="muted">{facts.join(" ")}</p>
      <table class="thought-moves">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Rank</span>
            </th>
            <th scope="col">move</th>
            <th scope="col">visits{prior && <span class="prior-key"> | prior</span>}</th>
            <th scope="col" class="number">
              value
            </th>
            <th scope="col" class="number">
              share
            </th>
          </tr>
        </thead>
        <tbody>
          {moves.slice(0, MOST_MOVES).map((each, i) => {
            const shape = each.place?.piece === undefined ? undefined : view.pieceShapes?.[each.place.piece];
            return (
              <tr
                key={each.move}
                class={`${each.played ? "played" : ""} ${chosen === i ? "looked" : ""}`}
                onPointerEnter={() => onChoose(i)}
                onPointerLeave={() => onChoose(undefined)}
              >
                <td>{i + 1}</td>
                <td class="thought-move" title={each.move}>
                  {shape === undefined ? null : <PieceIcon shape={shape} seat={mover} cell={5} />}{" "}
                  {shortMove(view, each.move)}
                </td>
                <td class="thought-bar">
                  <MoveBar
                    visits={(100 * each.visits) / total / mostPrior}
                    prior={each.prior === undefined ? undefined : (100 * each.prior) / mostPrior}
                  />
                  <span class="hidden">
                    {fixed(each.visits, 0)} visits
                    {each.prior === undefined ? "" : `, prior ${percent(each.prior)}`}
                  </span>
                </td>
                <td class="number">{expectedText(each.value, unit)}</td>
                <td class="number">
                  {visits > 0 ? `${fixed((100 * each.visits) / total, 0)}%` : ""}
                  {each.played ? " ✓" : ""}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {view.seats.length > 1 && (
        <table class="expected">
          <thead>
            <tr>
              <th scope="col">Expected</th>
              {names.map((name, seat) => (
                <th key={seat} scope="col" class="number">
                  <span class="expected-name" title={name}>
                    <i class={`swatch seat-${seat % 6}`} aria-hidden="true" />{" "}
                    {names.length > 2 ? seat + 1 : name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">search</th>
              {values.map((value, seat) => (
                <td key={seat} class="number">
                  {expectedText(value, unit)}
                </td>
              ))}
            </tr>
            {net !== undefined && (
              <tr>
                <th scope="row">net alone</th>
                {net.values.map((value, seat) => (
                  <td key={seat} class="number">
                    {expectedText(value, unit)}
                  </td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      )}
      {point !== undefined && <Drop point={point} who={who} />}
    </>
  );
}

/** The parts of a drop of the expectation. */
function Drop({ point: { choice, drop }, who }: { readonly point: TurningPoint; readonly who: string }) {
  const rest = drop - (choice ?? 0);
  return (
    <div class="drop">
      <h3>
        At its next turn {who} expected {expectedText(drop)} less
      </h3>
      {choice === undefined ? (
        <p class="muted">How much of that the choice cost is not known: let somebody analyse the game.</p>
      ) : (
        <dl>
          <div>
            <dt>the choice cost</dt>
            <dd>
              <progress value={choice} max={drop} aria-label="cost of the choice" />{" "}
              <b>{expectedText(choice)}</b>
            </dd>
          </div>
          <div>
            <dt>chance, others, unforeseen</dt>
            <dd>
              <progress value={rest} max={drop} aria-label="the rest" /> <b>{expectedText(rest)}</b>
            </dd>
          </div>
        </dl>
      )}
      {choice === 0 && <p class="muted">It knew no better move.</p>}
    </div>
  );
}

function AnalyseForm({
  analysis,
  onAnalyse,
  onOwn,
  opinion,
  view,
}: {
  readonly view: GameView;
  readonly analysis: AnalysisState | undefined;
  readonly opinion: AnalysisState | undefined;
  readonly onAnalyse: (by: string) => Promise<void>;
  readonly onOwn: () => void;
}) {
  const by = useSignal(view.analysts[0]?.name ?? "");
  const error = useSignal<string | undefined>(undefined);
  if (view.analysts.length === 0 || view.seen !== undefined) return null;
  const running = analysis?.state === "running";
  return (
    <form
      class="analyse"
      onSubmit={(event) => {
        event.preventDefault();
        error.value = undefined;
        onAnalyse(by.value).catch((failure: Error) => (error.value = failure.message));
      }}
    >
      <label>
        <span>{view.kept === "thoughts" ? "Another opinion, by" : "Analyse this game, by"}</span>{" "}
        <select
          value={by.value}
          title={view.analysts.find(({ name }) => name === by.value)?.about}
          onChange={(event) => (by.value = event.currentTarget.value)}
        >
          {view.analysts.map(({ about, name }) => (
            <option key={name} value={name}>
              {about.startsWith(name) ? about : `${name} (${about})`}
            </option>
          ))}
        </select>
      </label>{" "}
      <button type="submit" disabled={running || lostSince.value !== undefined}>
        Analyse
      </button>
      {opinion !== undefined && view.kept === "thoughts" && (
        <button type="button" onClick={onOwn}>
          What the players thought
        </button>
      )}
      <p class="muted" role="status">
        {running &&
          `${analysis.by}: ${fixed(analysis.done, 0)} of ${fixed(view.steps.length, 0)} decisions analysed`}
        {analysis?.state === "done" &&
          `${analysis.by} has analysed all ${fixed(analysis.done, 0)} decisions.`}
        {(error.value !== undefined || analysis?.state === "failed") && (
          <span class="bad">{error.value ?? analysis?.message}</span>
        )}
      </p>
    </form>
  );
}

function ordinal(n: number): string {
  const ending = new Intl.PluralRules("en", { type: "ordinal" }).select(n);
  return `${fixed(n, 0)}${{ one: "st", two: "nd", few: "rd", other: "th", many: "th", zero: "th" }[ending]}`;
}
