import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Board } from "../../../figures/boards/board.ts";
import { fixed } from "../../../figures/number-text.ts";
import type { GameView } from "../../views/game-views.ts";
import { BoardView } from "../boards/board-view.tsx";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import { Segments } from "../parts/segments.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { usePlace } from "../shell/crumbs.ts";
import { useKeys } from "../shell/keys.ts";
import { choose, query, runHref } from "../shell/router.ts";
import { gamePath } from "./addresses.ts";
import { GameActions } from "./game-actions.tsx";
import { type GameShown, useGame } from "./game-state.ts";
import { MoveList } from "./move-list.tsx";
import { type Overlays, thoughtMarks } from "./overlays.ts";
import { SeatLines } from "./seat-lines.tsx";
import { nextTurningPoint, stepAt, stepped } from "./stepping.ts";
import { ThoughtPanel } from "./thought-panel.tsx";
import { ValueCurve } from "./value-curve.tsx";

/** Room of a window that is not the board's: bars, sentence, two seats, curve and buttons. In pixels. */
const AROUND = 406;
const SEAT_LINE = 25;
/** The height of a sentence of one line and the facts below it. In pixels. */
const HEAD = 60;
/** The largest turning points that are marked at first. */
const MARKED = 5;
/** How long a position is shown while a game plays on. In milliseconds. */
const PLAY_ON_MS = 700;

/** One stored game: the board step by step, what its players thought, its turning points. */
export function GamePage({
  game,
  path,
  stage,
}: {
  readonly path: string;
  readonly stage: string;
  readonly game: number;
}) {
  const seat = query.value.get("seat") ?? undefined;
  const shown = useGame(path, stage, game, seat);
  const run = path.split("/").at(-2) ?? path;
  usePlace(`${stage} game ${game} · ${run}`, run, stage, `game ${game}`);
  if (shown.error !== undefined)
    return (
      <div class="panel empty">
        <h1 tabIndex={-1}>This game cannot be shown.</h1>
        <p>{shown.error}</p>
        <p>
          <a href={runHref(path, "games")}>To the games of this run</a>
        </p>
      </div>
    );
  if (shown.view === undefined)
    return (
      <>
        <div class="head">
          <h1 tabIndex={-1} class="loading">
            Reading this game
          </h1>
        </div>
        <div class="panel grey" aria-hidden="true" />
      </>
    );
  return <OneGame shown={shown} view={shown.view} path={path} />;
}

function OneGame({
  path,
  shown,
  view,
}: {
  readonly shown: GameShown;
  readonly view: GameView;
  readonly path: string;
}) {
  const { analysis, analyse, opinion, ply, position, show } = shown;
  const { plies, steps } = view;
  const looked = useFreshSignal<number | undefined>(undefined, [ply.value]);
  const playing = useSignal(false);
  const tall = useSignal(window.innerHeight);
  useEffect(() => {
    // A sentence with long names takes more lines than one: the board leaves them room.
    const measure = () => {
      const head = document.querySelector(".game-head")?.clientHeight ?? HEAD;
      tall.value = window.innerHeight - Math.max(0, head - HEAD);
    };
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  const names = playerNames(view);
  const step = stepAt(steps, ply.value);
  const source = opinion ?? view;
  const thoughtful = opinion !== undefined || view.kept === "thoughts";
  const chosenCount = query.value.get("marks");
  const marked = source.turningPoints.slice(0, chosenCount === null ? MARKED : Number(chosenCount) || 0);
  const point = source.turningPoints.find((each) => each.step === step && steps[step]?.[0] === ply.value);
  const overlays: Overlays = {
    visits: query.value.get("visits") !== "0",
    numbers: query.value.get("numbers") !== "0",
    prior: query.value.get("prior") === "1",
  };
  const toggle = (name: keyof Overlays) =>
    choose({ [name]: overlays[name] === (name !== "prior") ? (name === "prior" ? "1" : "0") : undefined });
  const turned = query.value.get("turned") === "1";
  const goToStep = (at: number) => show(at >= steps.length ? plies : steps[at]![0]);
  const walk = (by: 1 | -1) => show(stepped(steps, plies, ply.value, by));
  const toTurning = (by: 1 | -1) => {
    const next = nextTurningPoint(marked, step, by);
    if (next !== undefined) goToStep(next.step);
  };
  const moves = position?.thought?.moves ?? [];
  const among = (by: 1 | -1) => {
    if (moves.length === 0) return;
    const at = looked.value ?? (by > 0 ? -1 : moves.length);
    looked.value = Math.min(moves.length - 1, Math.max(0, at + by));
  };
  const seats: (number | undefined)[] = view.hidden === "yes" ? [undefined, ...view.seats.keys()] : [];
  const openTo = (chosen: number | undefined) =>
    choose({ seat: chosen === undefined ? undefined : String(chosen + 1) });
  useKeys({
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    "Shift ArrowLeft": () => show(ply.value - 1),
    "Shift ArrowRight": () => show(ply.value + 1),
    ArrowUp: () => among(-1),
    ArrowDown: () => among(1),
    Home: () => show(0),
    End: () => show(plies),
    m: () => toTurning(1),
    M: () => toTurning(-1),
    " ": () => (playing.value = !playing.value),
    v: () => toggle("visits"),
    p: () => toggle("prior"),
    n: () => toggle("numbers"),
    f: () => choose({ turned: turned ? undefined : "1" }),
    o: () => {
      if (seats.length > 0) openTo(seats[(seats.indexOf(view.seen) + 1) % seats.length]);
    },
    Escape: () => (looked.value = undefined),
  });
  useEffect(() => {
    if (!playing.value) return undefined;
    if (ply.value >= plies) {
      playing.value = false;
      return undefined;
    }
    const timer = window.setTimeout(() => walk(1), PLAY_ON_MS);
    return () => window.clearTimeout(timer);
  }, [playing.value, ply.value]);

  const most = Math.max(240, tall.value - AROUND - SEAT_LINE * Math.max(0, names.length - 2));
  const unit = source.curves.find(({ seat }) => seat === position?.mover)?.unit ?? "";
  return (
    <div class={`game-page ${position === undefined ? "" : seatsLook(position.board)}`}>
      <div class="head game-head">
        <div>
          <h1 tabIndex={-1}>
            <Sentence markup={view.sentence} />
          </h1>
          <p class="muted game-facts">
            <a href={runHref(path, "games")}>{view.stage}</a>, game {fixed(view.game, 0)} ·{" "}
            {[...view.facts, ...(view.learned > 0 ? [`version ${fixed(view.learned, 0)}`] : [])].join(" · ")}
          </p>
        </div>
        <GameActions
          end={gamePath(path, view.stage, view.game)}
          run={path}
          view={view}
          ply={ply.value}
          mover={position?.mover}
        />
      </div>
      <div
        class={`game-columns of-${position?.board.kind ?? "grid"} ${thoughtful ? "" : "without-thoughts"}`}
      >
        <div class="game-board">
          {seats.length > 0 && (
            <Segments
              label="Hands"
              value={view.seen === undefined ? "all" : String(view.seen + 1)}
              options={seats.map((each) =>
                each === undefined
                  ? (["all", "All open"] as const)
                  : ([String(each + 1), `As seat ${each + 1}`] as const),
              )}
              onChoose={(chosen) => openTo(chosen === "all" ? undefined : Number(chosen) - 1)}
            />
          )}
          {position !== undefined && (
            <>
              <SeatLines view={view} names={names} board={position.board} mover={position.mover} />
              <BoardView
                board={position.board}
                label={`The position before ply ${position.ply + 1} of ${plies}`}
                marks={thoughtMarks(position, overlays, looked.value)}
                most={window.innerWidth < 640 ? undefined : most}
                turned={turned}
              />
            </>
          )}
          <ValueCurve
            curves={source.curves}
            by={opinion?.by}
            marked={marked}
            names={names}
            step={step}
            steps={steps.length}
            onStep={goToStep}
          />
          <div class="game-controls">
            <div class="stepping">
              <button
                type="button"
                class="to-first"
                aria-label="First position"
                title="First (Home)"
                onClick={() => show(0)}
              >
                <StepIcon which="first" />
              </button>
              <button type="button" aria-label="Step back" title="Back (←)" onClick={() => walk(-1)}>
                <StepIcon which="back" />
              </button>
              <button type="button" aria-label="Step on" title="On (→)" onClick={() => walk(1)}>
                <StepIcon which="on" />
              </button>
              <button
                type="button"
                aria-label={playing.value ? "Pause" : "Play on"}
                title={playing.value ? "Pause (Space)" : "Play on (Space)"}
                disabled={ply.value >= plies}
                onClick={() => (playing.value = !playing.value)}
              >
                <StepIcon which={playing.value ? "pause" : "play"} />
              </button>
              <button
                type="button"
                class="to-last"
                aria-label="Last position"
                title="Last (End)"
                onClick={() => show(plies)}
              >
                <StepIcon which="last" />
              </button>
            </div>
            <p class="at-step-text">
              {step >= steps.length ? (
                <b>the end</b>
              ) : (
                <>
                  move <b>{fixed(step + 1, 0)}</b> <span>of {fixed(steps.length, 0)}</span>
                </>
              )}
            </p>
            <button
              type="button"
              class="next-turning"
              title="Next turning point (m)"
              disabled={nextTurningPoint(marked, step, 1) === undefined}
              onClick={() => toTurning(1)}
            >
              Next turning point <kbd>m</kbd>
            </button>
          </div>
        </div>
        <ThoughtPanel
          view={view}
          names={names}
          position={position}
          point={point}
          unit={unit}
          chosen={looked.value}
          onChoose={(move) => (looked.value = move)}
          overlays={overlays}
          onOverlay={toggle}
          analysis={analysis}
          opinion={opinion}
          onAnalyse={analyse}
          onOwn={() => choose({ by: undefined })}
        />
        <MoveList
          view={view}
          curves={source.curves}
          step={step}
          marked={marked}
          points={source.turningPoints}
          most={marked.length}
          onMost={(count) => choose({ marks: count === MARKED ? undefined : String(count) })}
          onStep={goToStep}
        />
      </div>
    </div>
  );
}

/** The signs of the buttons, drawn: few fonts have all of them. */
const SIGNS = {
  first: "M3 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  on: "M4 3l8 5-8 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  play: "M1 3l6 5-6 5zM9 3l6 5-6 5z",
  pause: "M5 3v10M11 3v10",
} as const;

function StepIcon({ which }: { readonly which: keyof typeof SIGNS }) {
  return (
    <svg class="step-icon" width="16" height="16" aria-hidden="true">
      <path d={SIGNS[which]} />
    </svg>
  );
}

/** The class of the colours of seats on this board. */
function seatsLook(board: Board): string {
  if (board.kind !== "grid") return "";
  return board.ground === "points" || board.ground === "green"
    ? "of-stones"
    : board.ground === "holes"
      ? "of-discs"
      : "";
}

/** By seat: its agent, with the seat's number if one agent has several seats. */
function playerNames({ seats }: GameView): string[] {
  const agents = seats.map(({ agent }) => agent);
  return agents.map((agent, seat) =>
    agents.filter((each) => each === agent).length > 1 ? `${agent} ${seat + 1}` : agent,
  );
}
