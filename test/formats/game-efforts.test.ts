import { expect, it } from "vitest";
import {
  decodeGameEffort,
  effortsByGame,
  encodeGameEffort,
  type GameEffort,
  type SeatEffort,
} from "../../src/formats/game-efforts.ts";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import { reasonOf } from "./reason-of.ts";

const plain = { decisions: 300, evaluations: 0, seconds: 1.5 };
const limits: GameEffort = {
  game: 7,
  seats: [
    { ...plain, limited: { clock: "wall", decisions: 299, allowed: 5.98, seconds: NaN } },
    plain,
    { ...plain, limited: { clock: "processor", decisions: 1, allowed: 0.02, seconds: 0.0201 } },
  ],
};

const waits: GameEffort = {
  game: 8,
  seats: [limits.seats[0]!, { ...plain, evaluatorSeconds: 0.5 }, plain, { ...plain, evaluatorSeconds: NaN }],
};

it("comes back from its bytes, also with decisions that time limits have ended, and with the part of evaluators", () => {
  const unlimited = { game: 2, seats: [{ ...plain, evaluatorSeconds: 0 }] };
  for (const effort of [limits, waits, unlimited, { game: 0, seats: [] }, { game: 1, seats: [plain, plain] }])
    expect(decodeGameEffort(encodeGameEffort(effort), "x")).toEqual(effort);
  const again = { ...limits, seats: [] };
  expect(effortsByGame([encodeGameEffort(limits), encodeGameEffort(again)], "x")).toEqual(
    new Map([[7, again]]),
  );
});

const withoutPart = ({ evaluatorSeconds: _without, ...seat }: SeatEffort): SeatEffort => seat;

it("without limits has the bytes of earlier versions", () => {
  expect(Buffer.from(encodeGameEffort({ game: 1, seats: [plain] })).toString("hex")).toBe(
    "0101ac0200000000000000f83f",
  );
});

it("is refused where it is cut, too long, or names another clock", () => {
  const bytes = encodeGameEffort(limits);
  for (let length = 1; length < bytes.length; length++) {
    // Before the limits the bytes are those of an effort without limits.
    const whole = encodeGameEffort({ game: 7, seats: [plain, plain, plain] }).length;
    if (length === whole) continue;
    expect(reasonOf(FileCorrupt, () => decodeGameEffort(bytes.subarray(0, length), "x"))).toMatch(
      /ends|promises/,
    );
  }
  const parts = encodeGameEffort(waits);
  expect(reasonOf(FileCorrupt, () => decodeGameEffort(Uint8Array.of(...parts, 0), "x"))).toMatch(/too many/);
  // Before the parts the bytes are those of an effort of earlier versions.
  const earlier = encodeGameEffort({ game: 8, seats: waits.seats.map(withoutPart) }).length;
  for (let length = earlier + 1; length < parts.length; length++)
    expect(reasonOf(FileCorrupt, () => decodeGameEffort(parts.subarray(0, length), "x"))).toMatch(/ends/);
  parts[earlier] = 2;
  expect(reasonOf(FileCorrupt, () => decodeGameEffort(parts, "x"))).toMatch(/neither waits/);
  const other = encodeGameEffort({ game: 1, seats: [{ ...plain, limited: limits.seats[2]!.limited! }] });
  other[other.length - 18] = 3;
  expect(reasonOf(FileCorrupt, () => decodeGameEffort(other, "x"))).toMatch(/unknown clock/);
});
