import { isTooDeep, TOO_DEEP } from "../../../formats/nesting.ts";
import type { OptionsGo } from "../../../games/go/options.ts";
import { GtpError } from "../error.ts";

/** The options in which the rules that controllers name differ: all count area, with every stone on the board alive. */
export type GoRuleSet = Pick<OptionsGo, "superko" | "suicide">;

/** The rules that `kgs-rules` names and that can be played. Source: "Rules" in the documentation of KGS. */
const kgsRules: Readonly<Record<string, GoRuleSet>> = {
  chinese: { superko: "positional", suicide: false },
  aga: { superko: "situational", suicide: false },
  new_zealand: { superko: "situational", suicide: true },
};

/** The rules that `kata-set-rules` names and that can be played. Source: "GTP Extensions" of KataGo. */
const kataRules: Readonly<Record<string, GoRuleSet>> = {
  "tromp-taylor": { superko: "positional", suicide: true },
  chinese: { superko: "simple", suicide: false },
  "chinese-ogs": { superko: "positional", suicide: false },
  "chinese-kgs": { superko: "positional", suicide: false },
  aga: { superko: "situational", suicide: false },
  bga: { superko: "situational", suicide: false },
  "new-zealand": { superko: "situational", suicide: true },
};

/** By superko: its name in the rules of KataGo. */
const KO = { positional: "POSITIONAL", situational: "SITUATIONAL", simple: "SIMPLE" } as const;

/** What the rules of KataGo have beside ko and suicide, and the one value of it that can be played. */
const FIXED: Readonly<Record<string, unknown>> = {
  scoring: "AREA",
  tax: "NONE",
  hasButton: false,
  whiteHandicapBonus: "0",
  friendlyPassOk: false,
};

/** The rules of a name of `kgs-rules`. Throws GtpError for others. */
export function rulesOfKgs(name: string): GoRuleSet {
  return named(kgsRules, name);
}

/** The rules of an argument of `kata-set-rules`: a name, or rules as JSON. Throws GtpError for what cannot be played. */
export function rulesOfKata(text: string): GoRuleSet {
  if (!text.startsWith("{")) return named(kataRules, text);
  let given: Readonly<Record<string, unknown>>;
  try {
    given = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    throw new GtpError("the rules are not JSON");
  }
  if (isTooDeep(given)) throw new GtpError(TOO_DEEP);
  const { ko = "POSITIONAL", suicide = false, ...others } = given;
  const superko = (["positional", "situational", "simple"] as const).find((name) => KO[name] === ko);
  if (superko === undefined)
    throw new GtpError(
      `ko ${JSON.stringify(ko)} is not played here (known: ${Object.values(KO).join(", ")})`,
    );
  if (typeof suicide !== "boolean") throw new GtpError("suicide: expected true or false");
  for (const [key, value] of Object.entries(others)) {
    if (!Object.hasOwn(FIXED, key)) throw new GtpError(`unknown rule ${JSON.stringify(key)}`);
    if (String(value) !== String(FIXED[key]))
      throw new GtpError(
        `${key} ${JSON.stringify(value)} is not played here (known: ${JSON.stringify(FIXED[key])})`,
      );
  }
  return { superko, suicide };
}

/** Rules as KataGo writes them. */
export function kataText({ suicide, superko }: GoRuleSet): string {
  return JSON.stringify({ ko: KO[superko], suicide, ...FIXED });
}

function named(rules: Readonly<Record<string, GoRuleSet>>, name: string): GoRuleSet {
  const key = name.toLowerCase();
  if (Object.hasOwn(rules, key)) return rules[key]!;
  throw new GtpError(`the rules "${name}" are not played here (known: ${Object.keys(rules).join(", ")})`);
}
