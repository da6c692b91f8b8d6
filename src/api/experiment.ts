// Written by `npm run schema` from the schema of experiment files. Do not edit.

/**
 * An experiment: what a file says, as an object. Absent keys take their defaults. With `plugins` it may
 * name what these define.
 */
export interface ExperimentDescription<Plugins extends readonly string[] = readonly string[]> {
  /** The experiment's name; its runs lie under runs/<name>/. */
  readonly name: string;
  /** What the experiment shows, and its source. Files that extend this one do not inherit it. */
  readonly description?: string;
  /**
   * Files of your own that define games, nets, searches and stages: paths that begin with a dot, relative
   * to this file, or names of installed packages.
   */
  readonly plugins?: Plugins;
  /** Everything random follows from it. 1 if absent. At least 0. Default: `1`. */
  readonly seed?: number;
  /**
   * synchronous: play a generation, train, repeat; the run is a function of file and seed. overlapped:
   * generation n + 1 is played with version n of the weights while version n + 1 is learned; also a
   * function of file and seed. asynchronous: games are played with the newest version while the trainer
   * works; not reproducible. Default: `"synchronous"`.
   */
  readonly schedule?: "synchronous" | "overlapped" | "asynchronous";
  /**
   * Threads that play games; the number of cores if absent. Does not change the results of a synchronous
   * or overlapped run. At least 1 and at most 1024.
   */
  readonly workers?: number;
  /** Engine and device for nets. Default: `{}`. */
  readonly compute?: {
    /**
     * What computes nets: ONNX Runtime (onnx), PyTorch in a process of its own (torch), or tfjs; auto is
     * onnx, and nothing is ever replaced by a slower engine. Default: `"auto"`.
     */
    readonly engine?: "auto" | "onnx" | "torch" | "tfjs";
    /**
     * The device on which nets are computed: the engine onnx has cpu and webgpu; the engine torch cpu,
     * cuda (GPUs of NVIDIA, and of AMD by ROCm), mps (Apple) and xpu (Intel). The engine tfjs has
     * backends instead. Default: `"cpu"`.
     */
    readonly device?: "cpu" | "webgpu" | "cuda" | "mps" | "xpu";
    /**
     * For the engine torch: the Python that has PyTorch 1.13 or newer, a name or a path. It is a program
     * that the file names, so you are asked before it starts. Absent: python3, on Windows python.
     */
    readonly python?: string;
    /**
     * For the engine tfjs: plain JavaScript (cpu), @tensorflow/tfjs-node (node) or
     * @tensorflow/tfjs-node-gpu (node-gpu). Default: node if it is installed, else cpu.
     */
    readonly backend?: "cpu" | "node" | "node-gpu";
    /**
     * The share of the batches of evaluations that ONNX Runtime computes again on the CPU; a difference
     * beyond rounding stops the run. Absent: 0.01, and 0 if ONNX Runtime computes on the CPU anyway. At
     * least 0 and at most 1.
     */
    readonly check?: number;
    /**
     * portable: evaluations give equal bits on processors with AVX2 and with AVX-512, so that a fleet may
     * have both (engine onnx, device cpu). Residual nets take up to 1.7 times as long.
     */
    readonly bits?: "portable";
    /**
     * Threads of one training operation. Part of the experiment: between numbers of threads the last bits
     * of trained weights may differ (those of evaluations never do). At least 1 and at most 1024.
     * Default: `2`.
     */
    readonly threads?: number;
  };
  /** The game and its options. */
  readonly game: ExperimentGame | Own<Plugins, OwnGame>;
  /** Value functions and nets by name. Default: `{}`. */
  readonly nets?: Readonly<Record<string, ExperimentNet | Own<Plugins, OwnPart>>>;
  /** Players by name. Default: `{}`. */
  readonly agents?: Readonly<Record<string, ExperimentSearch | ExperimentProgram | Own<Plugins, OwnPart>>>;
  /** The stages, by names of your own. */
  readonly graph: Readonly<Record<string, ExperimentStage | Own<Plugins, OwnPart>>>;
}

/** What an experiment with plug-ins may name besides. */
type Own<Plugins extends readonly string[], Part> = Plugins extends readonly [] ? never : Part;

/** A game of your own, and its options. */
export interface OwnGame {
  readonly rules: string & {};
  readonly [option: string]: unknown;
}

/** A net, search or stage of your own, and its options. */
export interface OwnPart {
  readonly use: string & {};
  readonly [option: string]: unknown;
}

/**
 * The games, by name. Files of your own add to it: `declare module "ludoflow" { interface Games { ... }
 * }`.
 */
export interface Games {
  /** 2048: one player slides tiles, chance adds new ones; the score is the sum of all merges. */
  readonly "2048": {
    readonly rules: "2048" | 2048;
    /** Rows of the board, 2 to 4. At least 2 and at most 4. Default: `4`. */
    readonly rows?: number;
    /** Columns of the board, 2 to 4. At least 2 and at most 4. Default: `4`. */
    readonly columns?: number;
  };
  /** Tic-tac-toe: two players, three in a row wins; 1 for a win, .5 for a draw, 0 for a loss. */
  readonly "tic-tac-toe": {
    readonly rules: "tic-tac-toe";
  };
  /**
   * Connect Four: two players, stones fall to the bottom of a column, four in a row win; 1 for a win, .5
   * for a draw, 0 for a loss.
   */
  readonly "connect-four": {
    readonly rules: "connect-four";
    /** Columns of the board: 4 to 8. At least 4 and at most 8. Default: `7`. */
    readonly columns?: number;
    /** Rows of the board: 4 to 7. At least 4 and at most 7. Default: `6`. */
    readonly rows?: number;
  };
  /**
   * Othello: two players, discs between two own discs turn over, the most discs win; 1 for a win, .5 for
   * a draw, 0 for a loss.
   */
  readonly "othello": {
    readonly rules: "othello";
    /** Rows and columns of the board: 4, 6 or 8. Default: `8`. */
    readonly size?: 4 | 6 | 8;
  };
  /**
   * Blokus: four players, 20x20 cells, 21 pieces each; smaller boards with fewer pieces by options.
   * Pieces of one player touch only at corners.
   */
  readonly "blokus": {
    readonly rules: "blokus";
    /**
     * advanced: minus the squares left, 15 more when all are placed and 5 more when the single square
     * came last; basic: minus the squares left. Default: `"advanced"`.
     */
    readonly scoring?: "advanced" | "basic";
    /**
     * Rows and columns of the board. The seats begin in its corners. At least 5 and at most 20. Default:
     * `20`.
     */
    readonly size?: number;
    /**
     * The most squares of a piece. Each seat has every polyomino of up to this many squares: 4 pieces of
     * 9 squares for 3, 9 pieces of 29 for 4, 21 pieces of 89 for 5. At least 3 and at most 5. Default:
     * `5`.
     */
    readonly largestPiece?: number;
  };
  /** Blokus Duo: two players, 14x14 cells, start cells inside the board. */
  readonly "blokus-duo": {
    readonly rules: "blokus-duo";
    /**
     * advanced: minus the squares left, 15 more when all are placed and 5 more when the single square
     * came last; basic: minus the squares left. Default: `"advanced"`.
     */
    readonly scoring?: "advanced" | "basic";
  };
  /**
   * Daihinmin by the UEC standard rules: five players get rid of their cards; hands are hidden; 1, .75,
   * .5, .25, 0 by place.
   */
  readonly "daihinmin": {
    readonly rules: "daihinmin";
    /**
     * Number of deals in a match. From the second deal on, players exchange cards by their places in the
     * deal before; seats are drawn before the deals 1, 4, 7, ... 1: a single random deal, with the
     * players sitting in order. At least 1 and at most 10000. Default: `1`.
     */
    readonly games?: number;
    /**
     * Whether the joker may stand above 2 or below 3 at the end of a sequence, as the contest's server
     * allows. Default: `true`.
     */
    readonly virtualRanks?: boolean;
  };
  /**
   * Go on boards of 2x2 to 19x19 points by the Tromp-Taylor rules: area scoring, superko, two passes end
   * the game.
   */
  readonly "go": {
    readonly rules: "go";
    /** Rows and columns of the board. At least 2 and at most 19. Default: `19`. */
    readonly size?: number;
    /**
     * Points that White has besides its area, in half points. A whole komi allows draws. At least -361
     * and at most 361. Default: `7.5`.
     */
    readonly komi?: number;
    /**
     * What a move may not bring about. positional: an earlier board; situational: an earlier board with
     * the same seat to move; simple: the board before the opponent's capture of a single stone (simple
     * ko). Default: `"positional"`.
     */
    readonly superko?: "positional" | "situational" | "simple";
    /**
     * Whether a move may leave its own chain without liberties, which removes the chain. Default:
     * `false`.
     */
    readonly suicide?: boolean;
    /**
     * Black stones on the board before the game, on the points of the GTP standard: 2 to 9. White then
     * moves first. 0: none. At least 0 and at most 9. Default: `0`.
     */
    readonly handicap?: number;
    /**
     * Plies, passes included, after which the game ends and is scored; 0: no limit. At least 0 and at
     * most 1000000. Default: `0`.
     */
    readonly moveLimit?: number;
  };
}

/** One of `Games`. */
export type ExperimentGame = Games[keyof Games];

/**
 * The nets and value functions, by name. Files of your own add to it: `declare module "ludoflow" {
 * interface Nets { ... } }`.
 */
export interface Nets {
  /** Two 2x2 convolutions and three dense layers with a value output, for 2048. */
  readonly "cnn22": {
    readonly use: "cnn22";
    /** Filters of the first and the second 2x2 convolution. Default: `[160,320]`. */
    readonly filters?: readonly number[];
    /** Units of the first two of the three dense layers; the third gives the value. Default: `[256,64]`. */
    readonly units?: readonly number[];
    /**
     * Standard deviation of the normal distribution from which all weights are drawn. More than 0 and at
     * most 100. Default: `0.05`.
     */
    readonly deviation?: number;
    /**
     * Factor on the output, about the size of the scores. Losses measure errors in units of it. More than
     * 0 and at most 1000000000000. Default: `1`.
     */
    readonly valueScale?: number;
    /**
     * Which of the game's planes the net sees, by name; null: the first (blokus: history, compact,
     * mobility). Default: `null`.
     */
    readonly planes?: string | null;
    /**
     * What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared
     * equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An
     * agent with this net plays for the same quantity. Default: `"returns"`.
     */
    readonly values?: "returns" | "win-share" | "win-loss";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
    /**
     * The numbers that the net is computed in when it plays: float32, also if absent; int8: convolutions
     * in 8-bit integers, faster on the CPU and with a small error (engine onnx, device cpu); auto: int8
     * if it is at least 1.3 times as fast and its error is small, which is measured when a run begins and
     * kept. Training stays in float32.
     */
    readonly evaluations?: "float32" | "int8" | "auto";
  };
  /** A residual tower of 3x3 convolutions with a value and a policy head, as in AlphaZero. */
  readonly "residual": {
    readonly use: "residual";
    /** Filters of each convolution in the tower. At least 1 and at most 4096. Default: `128`. */
    readonly filters?: number;
    /** Number of residual blocks, each of two convolutions. At least 0 and at most 200. Default: `10`. */
    readonly blocks?: number;
    /** Units of the value head's hidden layer. At least 1 and at most 65536. Default: `256`. */
    readonly valueUnits?: number;
    /**
     * Filters of the value head's 1x1 convolution: 4 in BlokusZero, 1 in AlphaZero. At least 1 and at
     * most 4096. Default: `4`.
     */
    readonly valueFilters?: number;
    /**
     * `seats`: a value for each seat (BlokusZero). `mover`: one value, for the player to move, whose
     * negative is the other player's (AlphaZero): for games of two players, with `values: win-loss`.
     * Default: `"seats"`.
     */
    readonly valueOutputs?: "seats" | "mover";
    /**
     * `dense`: a 1x1 convolution to 2 planes and a dense layer to all actions; `convolutional`: 1x1
     * convolutions to one plane per kind of action, for games that say where actions lie on the board;
     * actions off the board, such as a pass, get theirs from the means and maxima over the board.
     * Default: `"dense"`.
     */
    readonly policyHead?: "dense" | "convolutional";
    /**
     * What Xavier initialisation of the last layers of value and policy is: uniform within sqrt(6 /
     * (inputs + outputs)) (Glorot and Bengio 2010), or within sqrt(3 / inputs) (Caffe). Default:
     * `"glorot"`.
     */
    readonly xavier?: "glorot" | "caffe";
    /**
     * Filters pooled over the whole board in every second block; they give a bias to the block's other
     * filters (Wu 2019, section 3.3). 0: no pooling. At least 0 and at most 4096. Default: `0`.
     */
    readonly globalPooling?: number;
    /**
     * Start the last layers of value and policy at zero (Zhang, Dauphin and Ma 2019, Fixup). The
     * untrained net then gives the value 0 and a uniform policy; randomly initialised heads give
     * confident but meaningless outputs. Default: `false`.
     */
    readonly zeroHeads?: boolean;
    /**
     * Auxiliary target: the final score of every seat, in games without a score their return (in training
     * only; Wu 2019, section 4.1). Default: `false`.
     */
    readonly score?: boolean;
    /**
     * Auxiliary target: which seat covers each cell at the end (in training only; Wu 2019, section 4.1).
     * Default: `false`.
     */
    readonly ownership?: boolean;
    /**
     * Auxiliary target: the policy of the next decision (in training only; Wu 2019, section 3.4).
     * Default: `false`.
     */
    readonly reply?: boolean;
    /**
     * `tanh` for values in -1 to 1 (games won or lost), `linear` for unbounded scores. Default: `"tanh"`.
     */
    readonly valueActivation?: "tanh" | "linear";
    /**
     * Factor on the value, about the size of the returns. Losses measure errors in units of it. More than
     * 0 and at most 1000000000000. Default: `1`.
     */
    readonly valueScale?: number;
    /**
     * Which of the game's planes the net sees, by name; null: the first (blokus: history, compact,
     * mobility). Default: `null`.
     */
    readonly planes?: string | null;
    /**
     * What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared
     * equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An
     * agent with this net plays for the same quantity. Default: `"returns"`.
     */
    readonly values?: "returns" | "win-share" | "win-loss";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
    /**
     * The numbers that the net is computed in when it plays: float32, also if absent; int8: convolutions
     * in 8-bit integers, faster on the CPU and with a small error (engine onnx, device cpu); auto: int8
     * if it is at least 1.3 times as fast and its error is small, which is measured when a run begins and
     * kept. Training stays in float32.
     */
    readonly evaluations?: "float32" | "int8" | "auto";
  };
  /** Plain convolutions with a policy head, a value head, or both, as in AlphaGo. */
  readonly "convolutional": {
    readonly use: "convolutional";
    /** Filters of each convolutional layer. At least 1 and at most 4096. Default: `192`. */
    readonly filters?: number;
    /**
     * Convolutional layers: the first of 5x5, the others of 3x3. At least 1 and at most 200. Default:
     * `12`.
     */
    readonly layers?: number;
    /** Whether the net has a policy head. Default: `true`. */
    readonly policy?: boolean;
    /** Whether the net has a value head. A net has at least one head. Default: `false`. */
    readonly value?: boolean;
    /** Units of the hidden layer of the value head. At least 1 and at most 65536. Default: `256`. */
    readonly valueUnits?: number;
    /**
     * `tanh` for values in -1 to 1 (games won or lost), `linear` for unbounded scores. Default: `"tanh"`.
     */
    readonly valueActivation?: "tanh" | "linear";
    /**
     * Factor on the value, about the size of the returns. Losses measure errors in units of it. More than
     * 0 and at most 1000000000000. Default: `1`.
     */
    readonly valueScale?: number;
    /**
     * Which of the game's planes the net sees, by name; null: the first (blokus: history, compact,
     * mobility). Default: `null`.
     */
    readonly planes?: string | null;
    /**
     * What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared
     * equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An
     * agent with this net plays for the same quantity. Default: `"returns"`.
     */
    readonly values?: "returns" | "win-share" | "win-loss";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
    /**
     * The numbers that the net is computed in when it plays: float32, also if absent; int8: convolutions
     * in 8-bit integers, faster on the CPU and with a small error (engine onnx, device cpu); auto: int8
     * if it is at least 1.3 times as fast and its error is small, which is measured when a run begins and
     * kept. Training stays in float32.
     */
    readonly evaluations?: "float32" | "int8" | "auto";
  };
  /** Dense layers on the flattened planes, with a value and an optional policy. */
  readonly "mlp": {
    readonly use: "mlp";
    /** Units of each hidden layer. Default: `[128,128]`. */
    readonly hidden?: readonly number[];
    /** Whether the net has a policy head in addition to its value head. Default: `false`. */
    readonly policy?: boolean;
    /**
     * `tanh` for values in -1 to 1 (games won or lost), `linear` for unbounded scores. Default: `"tanh"`.
     */
    readonly valueActivation?: "tanh" | "linear";
    /**
     * Factor on the value, about the size of the returns. Losses measure errors in units of it. More than
     * 0 and at most 1000000000000. Default: `1`.
     */
    readonly valueScale?: number;
    /**
     * Which of the game's planes the net sees, by name; null: the first (blokus: history, compact,
     * mobility). Default: `null`.
     */
    readonly planes?: string | null;
    /**
     * What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared
     * equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An
     * agent with this net plays for the same quantity. Default: `"returns"`.
     */
    readonly values?: "returns" | "win-share" | "win-loss";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
    /**
     * The numbers that the net is computed in when it plays: float32, also if absent; int8: convolutions
     * in 8-bit integers, faster on the CPU and with a small error (engine onnx, device cpu); auto: int8
     * if it is at least 1.3 times as fast and its error is small, which is measured when a run begins and
     * kept. Training stays in float32.
     */
    readonly evaluations?: "float32" | "int8" | "auto";
  };
  /** A model file in ONNX's format from elsewhere, such as PyTorch: it plays, and is not trained. */
  readonly "onnx": {
    readonly use: "onnx";
    /** The model file in ONNX's format, relative to this file. */
    readonly file: string;
    /**
     * SHA-256 of the model: a file with another content is refused. null: taken from the file when a run
     * begins, and kept with the run. Default: `null`.
     */
    readonly sha256?: string | null;
    /** The inputs of the model, by name. Default: `{}`. */
    readonly inputs?: {
      /** The input that takes the planes of the positions. Absent: the only input of the model. */
      readonly planes?: string;
    };
    /** The outputs of the model, by name: the value, the policy, or both. */
    readonly outputs: {
      /**
       * The output with the values: one number for each position, for the seat to move, or one for each
       * seat, in turn order from the seat to move.
       */
      readonly value?: string;
      /** The output with a number for each action, in the order of the actions. */
      readonly policy?: string;
    };
    /**
     * The order of the axes of the planes: `nchw` is batch, channels, height, width, as in PyTorch;
     * `nhwc` is batch, height, width, channels, as in TensorFlow. null: the one that fits the input of
     * the model; needed if both fit. Default: `null`.
     */
    readonly layout?: "nchw" | "nhwc" | null;
    /**
     * What is applied to the value output: nothing (`linear`), or `tanh` if the model leaves it out.
     * Default: `"linear"`.
     */
    readonly valueActivation?: "linear" | "tanh";
    /**
     * The least and the greatest number of the value output: -1 and 1 after a tanh. They are mapped onto
     * the least and the greatest value of the kind in `values`. null: the output has that kind's own
     * units. Default: `null`.
     */
    readonly range?: readonly number[] | null;
    /**
     * What the policy output holds: `logits` (or logarithms of probabilities), or `probabilities`.
     * Default: `"logits"`.
     */
    readonly policyOutput?: "logits" | "probabilities";
    /**
     * Which of the game's planes the net sees, by name; null: the first (blokus: history, compact,
     * mobility). Default: `null`.
     */
    readonly planes?: string | null;
    /**
     * What the value head predicts for each seat: `returns`, the game's score; `win-share`, 1 shared
     * equally by the winners, 0 for the others; `win-loss`, 1 for every winner, -1 for the others. An
     * agent with this net plays for the same quantity. Default: `"returns"`.
     */
    readonly values?: "returns" | "win-share" | "win-loss";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
  };
  /** N-tuple network for 2048: a sum of table entries looked up by the tiles in groups of cells. */
  readonly "n-tuple": {
    readonly use: "n-tuple";
    /**
     * The set of tuples, that is which cells each tuple reads. 4x6: four 6-tuples (Yeh et al. 2016), for
     * 4x4; 8x6: eight 6-tuples (Matsuzaki 2016), for 4x4; 2x6: two 6-tuples, for 3x3; board: one tuple of
     * all cells, for boards of at most six. Default: `"4x6"`.
     */
    readonly tuples?: "4x6" | "8x6" | "2x6" | "board";
    /**
     * Value of every board before learning, in points. A value above those that play reaches makes
     * learning explore (optimistic initialisation). At least 0 and at most 1000000000000. Default: `0`.
     */
    readonly initialValue?: number;
    /**
     * Tiles in increasing order. Each begins a stage: boards whose greatest tile is at least this tile
     * have tables of their own (multi-stage).
     */
    readonly stages?: readonly number[];
    /**
     * For `stages`. true (default): a weight of a later stage starts from the weight of the stage before,
     * when it is first updated. false: it starts from initialValue, like the weights of the first stage.
     */
    readonly promotion?: boolean;
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
  };
  /** Linear value function for two players: a weighted sum of the game's features of positions. */
  readonly "linear": {
    readonly use: "linear";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
  };
  /**
   * Linear softmax policy over the game's features of moves, for playouts. A policy-gradient stage learns
   * it from its own games, a supervised stage from recorded ones.
   */
  readonly "linear-policy": {
    readonly use: "linear-policy";
    /** A checkpoint folder to take the first weights from, relative to this file. */
    readonly weights?: string;
  };
}

/** One of `Nets`. */
export type ExperimentNet = Nets[keyof Nets];

/**
 * The agents that search, by name. Files of your own add to it: `declare module "ludoflow" { interface
 * Searches { ... } }`.
 */
export interface Searches {
  /** A uniformly random legal move. */
  readonly "random": {
    readonly use: "random";
  };
  /**
   * The move with the greatest reward plus value of the position after it; without a net, a move that the
   * game prefers most (in Blokus a largest piece).
   */
  readonly "greedy": {
    readonly use: "greedy";
    /** The net that evaluates positions (a name under nets). */
    readonly net?: string;
    /**
     * Tile-downgrading in 2048 (Guei, Chen and Wu 2021): a tile, such as 16384. A board with this tile or
     * a greater one is searched with its greatest tiles halved, down to the first tile that is missing,
     * so that the net values boards that it knows better. The values of the search are those of the
     * downgraded board. null: off. Default: `null`.
     */
    readonly downgrade?: number | null;
  };
  /** The game's own rule-based player: in Daihinmin the default client of the contest. */
  readonly "default": {
    readonly use: "default";
  };
  /**
   * The move that a playout draws: by the policy of the net, or else a move that the game prefers (in
   * Blokus a largest piece), or else any legal move.
   */
  readonly "preferred": {
    readonly use: "preferred";
    /** The net whose policy draws the moves of playouts (a name under nets). */
    readonly net?: string;
    /**
     * Temperature T of the policy of the net: moves are drawn in proportion to p^(1/T). 0 plays the
     * likeliest move. Other values than 1 need a net. At least 0 and at most 1000. Default: `1`.
     */
    readonly temperature?: number;
  };
  /** A move drawn from the net's policy, or its likeliest move, without a search. */
  readonly "policy": {
    readonly use: "policy";
    /** The net whose policy it plays by (a name under nets). */
    readonly net: string;
    /**
     * Temperature T: moves are drawn in proportion to p^(1/T), where p is the net's probability of the
     * move. 0 plays the likeliest move. At least 0 and at most 1000. Default: `1`.
     */
    readonly temperature?: number;
  };
  /** A best move under perfect play (Connect Four). */
  readonly "perfect": {
    readonly use: "perfect";
  };
  /** Depth-limited search of 1 to 5 plies of chance, with the net's values at the leaves. */
  readonly "expectimax": {
    readonly use: "expectimax";
    /** The net that evaluates positions (a name under nets). */
    readonly net: string;
    /**
     * Depth in chance plies; in a game without chance, in replies. 0 would be greedy. In 2048 more than 2
     * plies are fast only with an n-tuple net and leaves: decisions. At least 1 and at most 5. Default:
     * `1`.
     */
    readonly plies?: number;
    /**
     * What is evaluated after the last chance ply. afterstates: the afterstates of all moves. decisions:
     * the positions before these moves, for value functions that search the moves and chance plies
     * themselves, as n-tuple does; values are the same, and the time is a third or less. Default:
     * `"afterstates"`.
     */
    readonly leaves?: "afterstates" | "decisions";
    /**
     * Depth after outcomes of chance that are less than half as likely as the likeliest, such as a tile
     * of 4 in 2048. full: as deep as after others. shallower: one ply less. Default: `"full"`.
     */
    readonly unlikely?: "full" | "shallower";
    /**
     * Tile-downgrading in 2048 (Guei, Chen and Wu 2021): a tile, such as 16384. A board with this tile or
     * a greater one is searched with its greatest tiles halved, down to the first tile that is missing,
     * so that the net values boards that it knows better. The values of the search are those of the
     * downgraded board. null: off. Default: `null`.
     */
    readonly downgrade?: number | null;
  };
  /** Depth-first search in which every player maximises its own payoff; shallow pruning. Needs no net. */
  readonly "max-n": MaxNOptions & {
    readonly use: "max-n";
  };
  /** Depth-first search in which all others play against the player to move; alpha-beta. Needs no net. */
  readonly "paranoid": MaxNOptions & {
    readonly use: "paranoid";
  };
  /** Depth-first search with the most damaging single reply of all opponents; alpha-beta. Needs no net. */
  readonly "best-reply": MaxNOptions & {
    readonly use: "best-reply";
  };
  /**
   * Minimax for two players, by alpha-beta: the exact value of a small game, searched to its end, or with
   * `depth` a static evaluation some moves ahead. Needs no net.
   */
  readonly "minimax": {
    readonly use: "minimax";
    /**
     * Depth in moves, including the root's own: positions there are valued by `value`, a static
     * evaluation of the game. 0: to the end of the game. At least 0 and at most 255. Default: `0`.
     */
    readonly depth?: number;
    /**
     * Time of a decision in milliseconds: processor time of the searching thread in the stages of
     * experiments, otherwise wall time. When it is up, the move with the greatest lower bound is played,
     * and values that are not proved are unknown. 0 means no limit. Decisions under a time limit are not
     * reproducible. At least 0 and at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * What finished games are valued by: one of the game's static evaluations (Go: area) or returns;
     * auto: the first static evaluation, returns if there is none. Default: `"auto"`.
     */
    readonly value?: string;
    /**
     * full: alpha-beta. The values of moves that are cut stay unknown. inner: then alpha-beta below each
     * of these moves, so that the value of every move is exact. none: plain minimax, which visits the
     * whole game tree, at greater and greater depth. Default: `"full"`.
     */
    readonly pruning?: "full" | "inner" | "none";
    /**
     * Number of entries of the transposition table; 0 turns it off. It needs a game with a position hash.
     * At least 0 and at most 16777216. Default: `1048576`.
     */
    readonly table?: number;
  };
  /** Monte Carlo tree search with a value function and Boltzmann selection and backup. */
  readonly "mc-softmax": {
    readonly use: "mc-softmax";
    /** The net that evaluates positions (a name under nets). */
    readonly net: string;
    /**
     * Number of trees, searched independently. The move is chosen by their mean values. At least 1 and at
     * most 1000. Default: `1`.
     */
    readonly trees?: number;
    /**
     * Simulations in each tree. The first one expands the root. At least 1 and at most 1000000. Default:
     * `100`.
     */
    readonly simulations?: number;
    /**
     * Chance nodes of a tree. fixed: one outcome is drawn at the first visit and kept. chance: every
     * visit draws an outcome. Default: `"chance"`.
     */
    readonly randomness?: "fixed" | "chance";
    /** Selection temperature: how a simulation chooses among the children of a node. Default: `"L-max"`. */
    readonly selection?: McSoftmaxSelection;
    /** Backup temperature: how the value of a node follows from those of its children. Default: `"best"`. */
    readonly backup?: McSoftmaxSelection;
    /** Positions of the searched trees that are sampled as training examples. Default: `0`. */
    readonly samples?: number | {
      /** All inner nodes of each tree. */
      readonly use: "inner";
    } | {
      /** All nodes of each tree with more than `above` visits. */
      readonly use: "visits";
      /** The number of visits that a node must exceed. At least 0 and at most 1000000. Default: `10`. */
      readonly above?: number;
    };
    /**
     * Sampling temperature: how sampled paths choose among the children of a node. Default:
     * `{"use":"uniform","from":0.005,"to":1}`.
     */
    readonly sampling?: McSoftmaxSelection;
  };
  /** Playouts after each legal move, shared out by UCB1, without a tree. */
  readonly "flat-monte-carlo": {
    readonly use: "flat-monte-carlo";
    /** The net whose policy draws the moves of playouts (a name under nets). */
    readonly net?: string;
    /**
     * Simulations of a decision. Each one starts from a new determinization: a position drawn from those
     * that agree with what the player has seen. At least 1 and at most 10000000. Default: `1000`.
     */
    readonly simulations?: number;
    /**
     * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
     * stages of experiments it is processor time of the searching thread, unless the agent waits for a
     * net; otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and
     * at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * C of mean + C sqrt(2 ln n / n_j), in units of the returns. At least 0 and at most 1000000. Default:
     * `1`.
     */
    readonly exploration?: number;
    /**
     * Probability that a playout move is drawn from all legal moves. Otherwise the net's policy draws it,
     * or, without a net, it is a move that the game prefers (in Daihinmin the default client's). 1 makes
     * playouts uniformly random. At least 0 and at most 1. Default: `1`.
     */
    readonly epsilon?: number;
  };
  /** Monte Carlo tree search with UCB1 and random playouts, for any number of players. */
  readonly "uct": {
    readonly use: "uct";
    /** The net whose policy draws the moves of playouts (a name under nets). */
    readonly net?: string;
    /**
     * Simulations of a decision. One playout from the root is extra. At least 1 and at most 10000000.
     * Default: `1000`.
     */
    readonly simulations?: number;
    /**
     * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
     * stages of experiments it is processor time of the searching thread, unless the agent waits for a
     * net; otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and
     * at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * C of UCB1, in units of the returns. 1.4 suits returns between 0 and 1. At least 0 and at most
     * 1000000000000. Default: `1.4`.
     */
    readonly exploration?: number;
    /**
     * Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go
     * without own eyes and suicides. Otherwise it is one that the game prefers, or one that the policy of
     * the net draws. At least 0 and at most 1. Default: `1`.
     */
    readonly epsilon?: number;
    /**
     * Visits of a leaf before the visit that expands it. The root is expanded after its first visit. At
     * least 1 and at most 1000000. Default: `1`.
     */
    readonly expansion?: number;
    /**
     * Whether the tree below the moves played is kept for the next decision. The simulations counted in
     * it are extra. Default: `false`.
     */
    readonly reuse?: boolean;
    /**
     * Whether a player that expects to win passes only if no other move that may settle something is as
     * good. So it captures dead stones before a game ends, for opponents that count another score
     * otherwise. Needs a game with passes, such as Go. Default: `false`.
     */
    readonly passLast?: boolean;
    /**
     * When the player resigns, in games of two that are won or lost: its value was low for some
     * decisions. It plays games to the end if something learns from them. null: never. Default: `null`.
     */
    readonly resign?: UctResign;
    /**
     * Rapid action value estimation: selection mixes a move's mean payoff with that of all simulations in
     * which the mover makes the move later (AMAF), weighted by beta. null: no AMAF statistics. Default:
     * `null`.
     */
    readonly rave?: UctRave;
    /**
     * Each new move starts with virtual visits that paid its prior value, from 0 to 1, also in its AMAF
     * statistics. null: new moves start without visits. Default: `null`.
     */
    readonly prior?: UctPrior;
    /**
     * Progressive widening: a node considers one move at first, and more with its visits, those of
     * greatest prior first. null: all moves at once. Default: `null`.
     */
    readonly widening?: UctWidening;
    /**
     * First-play urgency: the value of a move that has no visits, real, virtual or AMAF, in units of the
     * payoff. null: such moves come before all others. Default: `null`.
     */
    readonly firstPlay?: null | number;
    /**
     * The name of a grouping of the game's actions (in Daihinmin AI1, AI2, AI3), for a layer of group
     * nodes in the tree. none: no such layer. Default: `"none"`.
     */
    readonly grouping?: string;
  };
  /** Single-observer information set Monte Carlo tree search, for games with hidden information. */
  readonly "so-ismcts": SoIsmctsOptions & {
    readonly use: "so-ismcts";
  };
  /**
   * Single-observer information set Monte Carlo tree search that does not see hidden moves and treats
   * them as random.
   */
  readonly "so-ismcts-pom": SoIsmctsOptions & {
    readonly use: "so-ismcts-pom";
  };
  /** Multiple-observer information set Monte Carlo tree search: a tree for what each player sees. */
  readonly "mo-ismcts": SoIsmctsOptions & {
    readonly use: "mo-ismcts";
  };
  /** Monte Carlo tree search by playouts: every player maximises its own payoff. */
  readonly "mcts-max-n": MctsMaxNOptions & {
    readonly use: "mcts-max-n";
  };
  /** Monte Carlo tree search by playouts: all others play against the player to move. */
  readonly "mcts-paranoid": MctsMaxNOptions & {
    readonly use: "mcts-paranoid";
  };
  /**
   * Monte Carlo tree search by playouts: between two moves of the player one opponent moves, against the
   * player.
   */
  readonly "mcts-best-reply": {
    readonly use: "mcts-best-reply";
    /**
     * Simulations of a decision. The one that expands the root of a new tree is extra. At least 1 and at
     * most 10000000. Default: `800`.
     */
    readonly simulations?: number;
    /**
     * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
     * stages of experiments it is processor time of the searching thread, unless the agent waits for a
     * net; otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and
     * at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /** C of UCB1, in units of the payoff. At least 0 and at most 1000000. Default: `0.2`. */
    readonly exploration?: number;
    /**
     * W of Progressive History; 0 turns it off. Needs payoffs between 0 and 1. At least 0 and at most
     * 1000000. Default: `5`.
     */
    readonly progressiveHistory?: number;
    /**
     * Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go
     * without own eyes and suicides. Otherwise it is one that the game prefers. 1 makes playouts
     * uniformly random. At least 0 and at most 1. Default: `0.05`.
     */
    readonly epsilon?: number;
    /**
     * What a finished game pays. win: 1 to every seat with the top return, 0 to the others. share: the
     * win share, where seats that share the top return divide the 1. score: the returns. Default:
     * `"win"`.
     */
    readonly payoff?: "win" | "share" | "score";
    /**
     * Visits of a leaf before the visit that expands it. The root is expanded after its first visit. At
     * least 1 and at most 1000000. Default: `1`.
     */
    readonly expansion?: number;
    /**
     * Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver).
     * Default: `false`.
     */
    readonly solver?: boolean;
    /**
     * Whether the tree below the moves played is kept for the next decision. The simulations counted in
     * it are extra. Default: `false`.
     */
    readonly reuse?: boolean;
    /**
     * T of the policy target n exp(q / T), where n is the visits of a move and q its mean payoff (the
     * E-step of Abdolmaleki et al. 2018). Use it with hundreds of moves: each is visited once or twice,
     * and visits alone say little. 0: the visits are the target. At least 0 and at most 1000000. Default:
     * `0`.
     */
    readonly learnTemperature?: number;
    /**
     * Rapid action value estimation: selection mixes a move's mean payoff with that of all simulations in
     * which the mover makes the move later (AMAF), weighted by beta. null: no AMAF statistics. Default:
     * `null`.
     */
    readonly rave?: UctRave;
    /**
     * Each new move starts with virtual visits that paid its prior value, from 0 to 1, also in its AMAF
     * statistics. null: new moves start without visits. Default: `null`.
     */
    readonly prior?: UctPrior;
    /**
     * Progressive widening: a node considers one move at first, and more with its visits, those of
     * greatest prior first. null: all moves at once. Default: `null`.
     */
    readonly widening?: UctWidening;
    /**
     * First-play urgency: the value of a move that has no visits, real, virtual or AMAF, in units of the
     * payoff. null: such moves come before all others. Default: `null`.
     */
    readonly firstPlay?: null | number;
    /**
     * The name of a grouping of the game's actions (in Daihinmin AI1, AI2, AI3), for a layer of group
     * nodes in the tree. none: no such layer. Default: `"none"`.
     */
    readonly grouping?: string;
  };
  /** AlphaZero's search: PUCT with the net's values and priors, for any number of players. */
  readonly "puct-max-n": {
    readonly use: "puct-max-n";
    /** The net that evaluates positions and gives priors (a name under nets). */
    readonly net: string;
    /**
     * Simulations of a decision. The evaluation of the root is extra. At least 1 and at most 10000000.
     * Default: `800`.
     */
    readonly simulations?: number;
    /**
     * Wall time of a decision in milliseconds; 0: simulations count. Not reproducible: in experiments
     * give `equalTime` of the arena instead. At least 0 and at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * Maximum number of leaves in flight, whose evaluations share a request; 1: one after another. null:
     * 1 in the stages of experiments, where games share requests, and 8 if the agent plays one game at a
     * time. Default: `null`.
     */
    readonly leaves?: number | null;
    /**
     * T: priors are in proportion to p^(1/T). Above 1 they are softened, below 1 sharpened. At least 0.01
     * and at most 1000. Default: `1`.
     */
    readonly priorTemperature?: number;
    /** T of the priors at the root, before any noise. null: priorTemperature. Default: `null`. */
    readonly rootPriorTemperature?: number | null;
    /**
     * Playout-cap randomisation (Wu 2019, section 3.1): only a random share of the decisions get a full
     * search. The others get a quick search without noise, whose policy is not learned. null: every
     * search is full. Default: `null`.
     */
    readonly playoutCap?: PuctMaxNPlayoutCap;
    /**
     * Adds one playout to the net's value of each leaf: (1 - weight) v + weight z, as in AlphaGo (Silver
     * et al. 2016). null: the net's value alone. Default: `null`.
     */
    readonly playouts?: PuctMaxNPlayouts;
    /**
     * Whether the tree below the moves played is kept for the next decision. Its simulations are extra.
     * Default: `false`.
     */
    readonly reuse?: boolean;
    /**
     * Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver): it
     * plays proven wins, and neither plays nor learns proven losses. Default: `false`.
     */
    readonly solver?: boolean;
    /**
     * Whether a player that expects to win passes only if no other move that may settle something is as
     * good. So it captures dead stones before a game ends, for opponents that count another score
     * otherwise. Needs a game with passes, such as Go. Default: `false`.
     */
    readonly passLast?: boolean;
    /**
     * When the player resigns, in games of two that are won or lost: its value was low for some
     * decisions. It plays games to the end if something learns from them. null: never. Default: `null`.
     */
    readonly resign?: UctResign;
    /**
     * Whether every seat of the agent has a tree of its own. false: its seats share one tree, which with
     * reuse continues at every ply. This is meant for self-play. Default: `true`.
     */
    readonly perSeat?: boolean;
    /**
     * c_base: the number of visits from which exploration grows markedly. More than 0 and at most
     * 1000000000000. Default: `19625`.
     */
    readonly cBase?: number;
    /**
     * c_init: the initial exploration, in units of the returns. At least 0 and at most 1000000000000.
     * Default: `1.25`.
     */
    readonly cInit?: number;
    /** Dirichlet noise in the priors of the root, for self-play; null for none. Default: `null`. */
    readonly noise?: {
      /** Share of the noise in the priors of the root. At least 0 and at most 1. */
      readonly epsilon: number;
      /** Concentration of the Dirichlet distribution. More than 0 and at most 1000. */
      readonly alpha: number;
    } | null;
    /**
     * Temperature of the played move, by phases of the game. Empty: always the most visited move.
     * Default: `[]`.
     */
    readonly temperature?: PuctMaxNTemperature;
    /**
     * First-play urgency: the value of an untried move, in units of the returns. null: 0, as in
     * AlphaZero, or as firstPlayReduction says. Default: `null`.
     */
    readonly firstPlay?: number | null;
    /**
     * c_FPU (Wu 2019, section 2), in units of the returns: by how much the value of an untried move lies
     * below that of its position. At a root with noise it counts as 0. null: the value of an untried move
     * is firstPlay. Default: `null`.
     */
    readonly firstPlayReduction?: number | null;
    /** firstPlay of the root. null: as in the rest of the tree. Default: `null`. */
    readonly rootFirstPlay?: number | null;
    /**
     * firstPlayReduction of the root, also of one with noise. null: as in the rest of the tree. Default:
     * `null`.
     */
    readonly rootFirstPlayReduction?: number | null;
    /**
     * k of forced playouts and policy target pruning (Wu 2019, section 3.2, where it is 2), for
     * self-play; null for none. Default: `null`.
     */
    readonly forcedPlayouts?: number | null;
  };
  /** Gumbel AlphaZero: improves its policy with few simulations, for any number of players. */
  readonly "gumbel": {
    readonly use: "gumbel";
    /** The net that evaluates positions and gives priors (a name under nets). */
    readonly net: string;
    /**
     * Simulations of a decision. The evaluation of the root is extra. At least 1 and at most 10000000.
     * Default: `64`.
     */
    readonly simulations?: number;
    /**
     * Wall time of a decision in milliseconds; 0: simulations count. Not reproducible: in experiments
     * give `equalTime` of the arena instead. At least 0 and at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * Maximum number of leaves in flight, whose evaluations share a request; 1: one after another. null:
     * 1 in the stages of experiments, where games share requests, and 8 if the agent plays one game at a
     * time. Default: `null`.
     */
    readonly leaves?: number | null;
    /**
     * T: priors are in proportion to p^(1/T). Above 1 they are softened, below 1 sharpened. At least 0.01
     * and at most 1000. Default: `1`.
     */
    readonly priorTemperature?: number;
    /** T of the priors at the root, before any noise. null: priorTemperature. Default: `null`. */
    readonly rootPriorTemperature?: number | null;
    /**
     * Playout-cap randomisation (Wu 2019, section 3.1): only a random share of the decisions get a full
     * search. The others get a quick search without noise, whose policy is not learned. null: every
     * search is full. Default: `null`.
     */
    readonly playoutCap?: PuctMaxNPlayoutCap;
    /**
     * Adds one playout to the net's value of each leaf: (1 - weight) v + weight z, as in AlphaGo (Silver
     * et al. 2016). null: the net's value alone. Default: `null`.
     */
    readonly playouts?: PuctMaxNPlayouts;
    /**
     * Whether the tree below the moves played is kept for the next decision. Its simulations are extra.
     * Default: `false`.
     */
    readonly reuse?: boolean;
    /**
     * Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver): it
     * plays proven wins, and neither plays nor learns proven losses. Default: `false`.
     */
    readonly solver?: boolean;
    /**
     * Whether a player that expects to win passes only if no other move that may settle something is as
     * good. So it captures dead stones before a game ends, for opponents that count another score
     * otherwise. Needs a game with passes, such as Go. Default: `false`.
     */
    readonly passLast?: boolean;
    /**
     * When the player resigns, in games of two that are won or lost: its value was low for some
     * decisions. It plays games to the end if something learns from them. null: never. Default: `null`.
     */
    readonly resign?: UctResign;
    /**
     * Whether every seat of the agent has a tree of its own. false: its seats share one tree, which with
     * reuse continues at every ply. This is meant for self-play. Default: `true`.
     */
    readonly perSeat?: boolean;
    /**
     * m: the greatest number of actions that are sampled and tried at the root: a number, or a list of {
     * until, value } by version of the agent's net. Default: `16`.
     */
    readonly considered?: number | readonly {
      /** The value holds up to this version of the agent's net. At least 1 and at most 1000000000000. */
      readonly until?: number;
      /**
       * m: the greatest number of actions that are sampled and tried at the root. At least 1 and at most
       * 1000000.
       */
      readonly value: number;
    }[];
    /**
     * c_visit: the weight of values against priors before any visit. At least 0 and at most
     * 1000000000000. Default: `50`.
     */
    readonly cVisit?: number;
    /**
     * c_scale: the weight of values against priors, per visit of the most visited action: a number, or a
     * list of { until, value } by version of the agent's net. Default: `1`.
     */
    readonly cScale?: number | readonly {
      /** The value holds up to this version of the agent's net. At least 1 and at most 1000000000000. */
      readonly until?: number;
      /**
       * c_scale: the weight of values against priors, per visit of the most visited action. At least 0
       * and at most 1000000000000.
       */
      readonly value: number;
    }[];
    /**
     * The difference between the greatest and the least return. Values are divided by it. null: taken
     * from the rules of the game. "completed": of each position, the difference between the greatest and
     * the least completed value of its moves. Default: `null`.
     */
    readonly range?: number | "completed" | null;
    /**
     * The policy target. "completed": the improved policy over all legal moves. "tried": over the moves
     * that were sampled, each with its weight divided by the probability that it was drawn.
     * "tried-unweighted": the same without these weights. null: "tried" in positions with at least 8
     * times as many legal moves as are sampled, "completed" in others. Default: `null`.
     */
    readonly target?: "completed" | "tried" | "tried-unweighted" | null;
    /**
     * The factor of the Gumbel draws, by phases of the game. 1 samples moves from the improved policy, 0
     * takes the best move. Empty: always 0, for matches. Default: `[{"value":1}]`.
     */
    readonly temperature?: PuctMaxNTemperature;
  };
  /** AlphaGo's search: PUCT with a policy net, leaves valued by a value net and by rollouts. */
  readonly "apv-mcts": {
    readonly use: "apv-mcts";
    /**
     * The net that gives priors, and values at leaves if no valueNet is named; without it playoutNet
     * gives priors, or all priors of a position are equal (a name under nets).
     */
    readonly net?: string;
    /** The net that gives values at leaves (a name under nets). */
    readonly valueNet?: string;
    /**
     * The net whose policy draws the moves of rollouts, and gives priors if no net does (a name under
     * nets).
     */
    readonly playoutNet?: string;
    /**
     * Simulations of a decision. The one that opens the root is extra. At least 1 and at most 10000000.
     * Default: `1600`.
     */
    readonly simulations?: number;
    /**
     * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
     * stages of experiments it is processor time of the searching thread, unless the agent waits for a
     * net; otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and
     * at most 86400000. Default: `0`.
     */
    readonly milliseconds?: number;
    /**
     * Weight of the return of a rollout in the value of a leaf; the net's value has the rest. 0: no
     * rollouts; 1: no net is asked for values. null: .5, or 1 if no net gives values. Default: `null`.
     */
    readonly lambda?: number | null;
    /**
     * c_puct, where returns are counted from -1 for the least to 1 for the greatest. At least 0 and at
     * most 1000000. Default: `5`.
     */
    readonly cPuct?: number;
    /**
     * Visits of a leaf, the last of which expands it and asks for its priors. The root is expanded at
     * once. At least 1 and at most 1000000. Default: `40`.
     */
    readonly expansion?: number;
    /**
     * T: priors are in proportion to p^(1/T). Above 1 they are softened, below 1 sharpened. At least 0.01
     * and at most 1000. Default: `1.5`.
     */
    readonly priorTemperature?: number;
    /**
     * Maximum number of leaves in flight, whose evaluations share a request; 1: one after another. At
     * least 1 and at most 256. Default: `8`.
     */
    readonly batch?: number;
    /**
     * Lost visits that a leaf in flight adds to every move on its path until it is evaluated. At least 0
     * and at most 1000. Default: `3`.
     */
    readonly virtualLoss?: number;
    /**
     * Probability that the move of a rollout is drawn from all legal moves. Otherwise playoutNet draws
     * it, or it is one that the game prefers. At least 0 and at most 1. Default: `0`.
     */
    readonly epsilon?: number;
    /**
     * Temperature of the played move, by phases of the game. Empty: always the most visited move.
     * Default: `[]`.
     */
    readonly temperature?: PuctMaxNTemperature;
    /**
     * Whether the tree below the moves played is kept for the next decision. The simulations counted in
     * it are extra. Default: `true`.
     */
    readonly reuse?: boolean;
    /**
     * Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver): it
     * plays proven wins, and neither plays nor learns proven losses. Default: `false`.
     */
    readonly solver?: boolean;
    /**
     * Whether a player that expects to win passes only if no other move that may settle something is as
     * good. So it captures dead stones before a game ends, for opponents that count another score
     * otherwise. Needs a game with passes, such as Go. Default: `false`.
     */
    readonly passLast?: boolean;
    /**
     * When the player resigns, in games of two that are won or lost: its value was low for some
     * decisions. It plays games to the end if something learns from them. null: never. Default: `null`.
     */
    readonly resign?: UctResign;
  };
}

/** One of `Searches`. */
export type ExperimentSearch = Searches[keyof Searches];

/**
 * The agents that are other programs, by name. Files of your own add to it: `declare module "ludoflow" {
 * interface Programs { ... } }`.
 */
export interface Programs {
  /**
   * Another program, through the Go Text Protocol. Its games are as reproducible as it is; it is seeded
   * if it knows set_random_seed.
   */
  readonly "gtp": {
    readonly use: "gtp";
    /**
     * The program and its arguments. A path is relative to the folder that the run is started in; a name
     * is looked for on the PATH, then in /usr/games and /usr/local/games. $NAME stands for the words of
     * an environment variable.
     */
    readonly command: readonly string[];
    /**
     * How the program speaks GTP. pentobi: Pentobi's: Blokus (colours 1 to 4), Blokus Duo and tic-tac-toe
     * (b, w). go: Go; at the end of a game the scores of both sides are compared. othello: Othello, with
     * a1 at the top left; a seat without a move passes by a command. gtp-rhino: Othello on 8x8 for
     * programs, such as GRhino, that pass by themselves. connect-four: Connect Four; a move is the number
     * of its column, from 1 at the left. Default: `"pentobi"`.
     */
    readonly dialect?: "pentobi" | "go" | "othello" | "gtp-rhino" | "connect-four";
    /** GTP commands that are sent once after each start, such as a level. Default: `[]`. */
    readonly setUp?: readonly string[];
    /**
     * Whether each of the agent's seats in a game has its own process. false: one process plays all of
     * them. Default: `true`.
     */
    readonly perSeat?: boolean;
    /**
     * The longest wait for one response in milliseconds, the program's start included. On Linux the time
     * that the program waits for a processor does not count, up to ten times the limit. At least 1 and at
     * most 86400000. Default: `60000`.
     */
    readonly timeoutMs?: number;
    /** Lines before a response that are none: a failure, or skipped. Default: `"refuse"`. */
    readonly chatter?: "refuse" | "skip";
    /**
     * When a new process is started for the next game. With never, a program that has failed once always
     * fails. Default: `"after-failure"`.
     */
    readonly restart?: "after-failure" | "every-game" | "never";
  };
}

/** One of `Programs`. */
export type ExperimentProgram = Programs[keyof Programs];

/**
 * The stages of the graph, by name. Files of your own add to it: `declare module "ludoflow" { interface
 * GraphStages { ... } }`.
 */
export interface GraphStages {
  /**
   * Plays games of an agent against itself, or also against its earlier selves, on worker threads and
   * turns them into training examples.
   */
  readonly "self-play": {
    readonly use: "self-play";
    /** The agent in every seat (a name under agents). */
    readonly agent: string;
    /** Games of the whole run. At least 1 and at most 1000000000. */
    readonly games: number;
    /**
     * Games played with one version of the weights; the trainer learns once per generation. At least 1
     * and at most 1000000000.
     */
    readonly generation: number;
    /**
     * Lets an agent without a net, such as a search by playouts, play the first games. An untrained net
     * then learns from sensible games (warm start: Wang, Preuss and Plaat 2020; Anthony, Tian and Barber
     * 2017). The values learned from these games are their results only.
     */
    readonly warmStart?: {
      /** The agent in every seat of these games. It has no net. */
      readonly agent: string;
      /**
       * Number of games at the start of the run that this agent plays. At least 1 and at most 1000000000.
       */
      readonly games: number;
    };
    /**
     * How games begin whose first moves the agent does not choose. These moves are played and recorded,
     * and nothing learns from them: examples begin with the first decision of the agent. Each entry has
     * `plies`, `book` or `forks`; `plies` can be given with one of the others. Games that no share falls
     * to begin at the start.
     */
    readonly openings?: readonly {
      /**
       * Probability that a game begins so. The shares of all openings together are at most 1. More than 0
       * and at most 1. Default: `1`.
       */
      readonly share?: number;
      /**
       * A file of openings, which are used in turn: a text file with one opening per line, moves in the
       * game's notation separated by spaces, # before comments; or a database that a stage of openings
       * has built (openings/STAGE.json in the folder of a run). The path is relative to the folder of the
       * experiment file.
       */
      readonly book?: string;
      /**
       * Begins with a position of an earlier game: one that is drawn from the generation before, or with
       * `schedule: overlapped` from the generation before that one. Games of the first generations, which
       * have no such generation, begin at the start.
       */
      readonly forks?: {
        /** Number of plies before the end of the earlier game. A shorter game is taken from its start. */
        readonly back: SelfPlayOpeningsForksBack;
      };
      /**
       * Number of decisions that are drawn at random, uniformly among the legal moves: at the start, or
       * after the position of `book` or `forks`. Moves that end the game are drawn again, all of them.
       */
      readonly plies?: SelfPlayOpeningsForksBack;
    }[];
    /**
     * Plays a share of the games against a pool of earlier selves: the agent has one drawn seat, the
     * others have it with earlier weights, drawn uniformly. Only its own decisions become examples
     * (Silver et al. 2016; a share of 20%: OpenAI et al. 2019, Dota 2 with large scale deep reinforcement
     * learning).
     */
    readonly pool?: {
      /**
       * Probability that a game is played against earlier selves. More than 0 and at most 1. Default:
       * `0.2`.
       */
      readonly share?: number;
      /**
       * Maximum number of versions in the pool. When it is full, the oldest version leaves. At least 1
       * and at most 1000. Default: `8`.
       */
      readonly size?: number;
      /**
       * Number of versions from one that enters the pool to the next; 1: all versions. At least 1 and at
       * most 1000000. Default: `1`.
       */
      readonly every?: number;
    };
    /** The training examples that are made from each game. */
    readonly examples: {
      /** Positions that the search sampled from its trees, with their values in the trees (MC Softmax). */
      readonly use: "search-samples";
    } | {
      /**
       * Positions of the game played, with lambda-returns: the values that the agent found at its next
       * decisions, mixed with the rewards received.
       */
      readonly use: "td";
      /**
       * 0: the value of the next decision (TD(0)); 1: the return of the game (Monte Carlo). At least 0
       * and at most 1. Default: `0`.
       */
      readonly lambda?: number;
      /**
       * The value of a decision. `search`: the value that its search found. `net`: the reward of its
       * action plus the net's value of the next position; the search then only chooses the moves.
       * Default: `"search"`.
       */
      readonly values?: "search" | "net";
    } | {
      /**
       * The positions of all decisions, with the return of the game as their value and the policy of the
       * search. A whole game takes a few kilobytes.
       */
      readonly use: "alphazero";
      /**
       * The weight w in the value target w z + (1 - w) q; z is the return of the game, q the value that
       * the search found (Willemsen, Baier and Kaisers 2020, Value targets in off-policy AlphaZero): a
       * number, or a list of { until, value } by ply of the game. Default: `1`.
       */
      readonly resultWeight?: number | readonly {
        /** The value holds up to this ply of the game. At least 1 and at most 1000000000000. */
        readonly until?: number;
        /**
         * The weight w in the value target w z + (1 - w) q; z is the return of the game, q the value that
         * the search found (Willemsen, Baier and Kaisers 2020, Value targets in off-policy AlphaZero). At
         * least 0 and at most 1.
         */
        readonly value: number;
      }[];
      /**
       * Examples of the decisions by a quick search (playout-cap randomisation), whose policy is never a
       * target. `values`: the value is a target; `drop`: no example (Wu 2019, section 3.1). Default:
       * `"values"`.
       */
      readonly quick?: "values" | "drop";
      /**
       * Value targets in place of w z + (1 - w) q: the return under perfect play. For games with a solver
       * (Connect Four). Absent: none.
       */
      readonly values?: {
        /** By the exact solver of the game. */
        readonly solver: {
          /**
           * Positions after at least this number of plies are solved. In Connect Four: stones on the
           * board. At least 0 and at most 100000.
           */
          readonly fromPly: number;
        };
      };
      /**
       * Share of the weights of a game's examples that is in proportion to policy surprise: the
       * Kullback-Leibler divergence of the policy target from the priors of the search. The rest is
       * shared equally, so the mean weight is 1. The trainer's loss is the weighted mean. KataGo: 0.5.
       * Absent: all examples weigh 1. More than 0 and at most 1.
       */
      readonly surprise?: number;
    };
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
    /**
     * Stops the run when V(start), the mean value of the start positions, no longer matches the mean
     * score of the games (one-player games). Default: `{}`.
     */
    readonly monitor?: SelfPlayMonitor;
  };
  /** Keeps the newest examples. After each generation of games, a trainer draws minibatches from them. */
  readonly "replay-buffer": {
    readonly use: "replay-buffer";
    /** The stage that plays the games (the name of a stage that gives games). */
    readonly from: string;
    /**
     * Maximum number of examples. The oldest games are dropped first. Give either this or `games`. At
     * least 1 and at most 100000000.
     */
    readonly capacity?: number;
    /**
     * Maximum number of games. The oldest games are dropped first. Give either this or `capacity`. At
     * least 1 and at most 1000000000.
     */
    readonly games?: number;
    /**
     * Lets the window grow with the N games played so far: n (1 + beta ((N/n)^alpha - 1) / alpha), with n
     * = `games` (Wu 2019, appendix C). If absent, the window keeps its size.
     */
    readonly growth?: {
      /**
       * beta: by how much the window grows with each game at the start. At least 0 and at most 1.
       * Default: `0.4`.
       */
      readonly scale?: number;
      /**
       * alpha: how fast the growth slows down; 1: it does not slow down. More than 0 and at most 1.
       * Default: `0.75`.
       */
      readonly exponent?: number;
    };
    /**
     * Minimum number of games in the buffer before training starts. Until then, self-play continues
     * without training. At least 0 and at most 10000000. Default: `0`.
     */
    readonly fill?: number;
    /**
     * Megabytes of examples kept in memory: the newest ones, including the current generation. Others are
     * read from the run's files when they are drawn. At least 0 and at most 1000000. Default: `1000`.
     */
    readonly memory?: number;
  };
  /**
   * Trains a net on minibatches drawn uniformly from a replay buffer, with a fixed number of steps per
   * generation.
   */
  readonly "trainer": {
    readonly use: "trainer";
    /** The buffer to draw from (the name of a stage that gives replay). */
    readonly from: string;
    /** The net it trains (a name under nets). */
    readonly net: string;
    /** Positions in a minibatch. At least 1 and at most 65536. */
    readonly batch: number;
    /**
     * Optimiser steps after each generation of games, once the buffer is filled. At least 1 and at most
     * 1000000000.
     */
    readonly steps: number;
    /** Learning rate: a number, or a list of { until, value } by step. */
    readonly rate: TrainerRate;
    /** The optimiser that changes the weights. Default: `{"use":"adam"}`. */
    readonly optimiser?: TrainerOptimiser;
    /** The loss that training minimises. Default: `{"use":"value-regression"}`. */
    readonly loss?: {
      /** The error of the values. */
      readonly use: "value-regression";
      /**
       * Squared error, or Huber's error: squared up to one unit of the net's `valueScale`, linear beyond.
       * Default: `"squared"`.
       */
      readonly error?: "squared" | "huber";
      /**
       * Maximum difference between target and prediction, in units of the values. Targets farther away
       * are moved to this distance. More than 0 and at most 1000000000000.
       */
      readonly clip?: number;
    } | {
      /** Squared error of the values plus cross-entropy of the policy. */
      readonly use: "alphazero";
      /** Weight of the error of the values. At least 0 and at most 1000. Default: `1`. */
      readonly valueWeight?: number;
      /**
       * Take the softmax of the policy over the legal actions of each position only (invalid action
       * masking: Huang and Ontanon 2020). Default: `false`.
       */
      readonly legalOnly?: boolean;
      /**
       * Weight of the error of the scores, for nets with `score`. At least 0 and at most 1000. Default:
       * `0.5`.
       */
      readonly scoreWeight?: number;
      /**
       * Weight of the error of the cell owners, for nets with `ownership`. At least 0 and at most 1000.
       * Default: `0.5`.
       */
      readonly ownershipWeight?: number;
      /**
       * Weight of the error of the policy of the next decision, for nets with `reply`. At least 0 and at
       * most 1000. Default: `0.15`.
       */
      readonly replyWeight?: number;
    };
    /**
     * Decay per step of a running average of the weights. The average is played with and saved instead of
     * the weights: 0.99 averages over about 100 steps; null: no average (Polyak and Juditsky 1992;
     * exponential as in KataGo: Wu 2019). Default: `null`.
     */
    readonly averaging?: number | null;
    /**
     * Draws a symmetry of the board with every position; seats are permuted if the symmetry moves them.
     * For games with symmetries (Silver et al. 2016, 2017). Default: `false`.
     */
    readonly symmetries?: boolean;
  };
  /**
   * Learns a value function on tables by temporal differences, from games that it plays greedily with the
   * same value function.
   */
  readonly "td-learner": {
    readonly use: "td-learner";
    /**
     * The stage whose openings the games begin with, for `exploration: { use: uct-opening }` (the name of
     * a stage that gives openings).
     */
    readonly openings?: string;
    /** The value function on tables that it learns (a name under nets). */
    readonly net: string;
    /** Games of the whole run. At least 1 and at most 1000000000. */
    readonly games: number;
    /** Games from one version of the weights to the next. At least 1 and at most 1000000000. */
    readonly every: number;
    /**
     * Mixture of the returns of all lengths: 0 looks one move ahead (TD(0)), 1 looks at the whole rest of
     * the game. At least 0 and at most 1. Default: `0.5`.
     */
    readonly lambda?: number;
    /**
     * td: one rate for all weights. tc: a rate for each weight (temporal coherence learning). Default:
     * `"tc"`.
     */
    readonly step?: "td" | "tc";
    /**
     * Learning rate. In an N-tuple network the weights of a board share it. More than 0 and at most 1000.
     * Default: `1`.
     */
    readonly rate?: number;
    /**
     * N0 of a rate that falls with the number of games n: rate (N0 + 1) / (N0 + n^1.1). If absent, the
     * rate stays the same. At least 0 and at most 1000000000000.
     */
    readonly decay?: number;
    /** How the games are varied. If absent, every move is the greedy one. */
    readonly exploration?: {
      /** Every decision is uniformly random with a small probability, else greedy. */
      readonly use: "epsilon-greedy";
      /** Probability of a uniformly random move. At least 0 and at most 1. Default: `0.1`. */
      readonly epsilon?: number;
    } | {
      /** Every game begins with an opening from the stage named by `openings`. */
      readonly use: "uct-opening";
      /**
       * in-turn: the games begin with the openings in their order, over and over. random: each game
       * begins with an opening drawn with replacement. Default: `"random"`.
       */
      readonly order?: "in-turn" | "random";
    } | {
      /** The first plies of every game are uniformly random. */
      readonly use: "random-opening";
      /** Length of the opening. At least 1 and at most 1000. Default: `4`. */
      readonly plies?: number;
    };
    /**
     * Learning from exploring moves, openings included. cut (default): nothing is learned from these
     * moves, and eligibility traces start anew after them. keep: these moves are treated as all others.
     */
    readonly traces?: "cut" | "keep";
    /**
     * Lets a search play the games, instead of greedy play, and learns from the values that it finds. For
     * n-tuple networks.
     */
    readonly search?: {
      /**
       * The agent that plays. It evaluates with the value function that is learned (a name under agents).
       */
      readonly agent: string;
      /** What each afterstate of a game learns from the search of the next decision. */
      readonly targets: {
        /** NodeV+Reward: the reward of the chosen move and the value of its node in the tree. */
        readonly use: "node-value";
      } | {
        /** EvalV+Reward: the reward of the chosen move and the value function's value of its afterstate. */
        readonly use: "eval-value";
      } | {
        /** The lambda-return along the moves played. The search only chooses these moves. */
        readonly use: "returns";
        /**
         * 0 looks one move ahead (TD(0)); 1 looks at the whole rest of the game. At least 0 and at most
         * 1. Default: `0`.
         */
        readonly lambda?: number;
      } | {
        /** A fixed mixture of NodeV+Reward and the return of the game. */
        readonly use: "mixed";
        /** Share of the return of the game. At least 0 and at most 1. Default: `0.5`. */
        readonly weight?: number;
      } | {
        /** NodeV+Reward, limited to the best score of any game so far. */
        readonly use: "clipped";
      } | {
        /** NodeV+Reward, found by searches on a copy of the value function that is renewed at intervals. */
        readonly use: "target-net";
        /** Games from one copy to the next. At least 1 and at most 1000000. Default: `100`. */
        readonly every?: number;
      } | {
        /**
         * Two value functions. For each game, one of them is drawn at random: it searches, and the other
         * learns NodeV+Reward. Matches use the first.
         */
        readonly use: "double";
      } | {
        /**
         * Not the afterstates of the game, but the positions that the search samples from its trees (the
         * agent's option samples), each with its value in the tree.
         */
        readonly use: "samples";
        /**
         * A target differs from the value function's value by at most this many points. If absent, there
         * is no limit. More than 0 and at most 1000000000000.
         */
        readonly clip?: number;
      };
      /**
       * Number of games at the start that are played greedily and learned by the settings above. At least
       * 0 and at most 1000000000. Default: `0`.
       */
      readonly after?: number;
      /** Like `step` above, for the games that the agent plays. Default: `"td"`. */
      readonly step?: "td" | "tc";
      /** Learning rate for the games that the agent plays. More than 0 and at most 1000. Default: `0.1`. */
      readonly rate?: number;
    };
    /**
     * Begins each game at the middle of the previous one, if that one had at least this many decisions
     * from its own beginning. Late positions then occur more often. For n-tuple networks. At least 1 and
     * at most 100000.
     */
    readonly restart?: number;
    /**
     * Plays a game until it can make this tile, makes it, and learns from `games` games that continue
     * from there; then the next one. It trains the tables of late stages of n-tuple networks, and needs
     * weights that reach the tile.
     */
    readonly begin?: {
      /** The tile: a power of two. At least 4 and at most 131072. */
      readonly tile: number;
      /**
       * Number of games from the same position. Games that `restart` begins are not counted. At least 1
       * and at most 1000000000. Default: `32`.
       */
      readonly games?: number;
    };
    /**
     * Threads that learn the same tables at the same time without waiting for each other (Hogwild). With
     * more than 1 the run is not reproducible. For n-tuple networks. At least 1 and at most 64. Default:
     * `1`.
     */
    readonly threads?: number;
    /**
     * One game in this many is recorded; 0 records none. At least 0 and at most 1000000000. Default:
     * `100`.
     */
    readonly record?: number;
    /**
     * Stops the run when V(start), the mean value of the start positions, no longer matches the mean
     * score of the games (one-player games). Default: `{}`.
     */
    readonly monitor?: SelfPlayMonitor;
  };
  /**
   * Learns a policy for playouts by policy gradients, from the returns of games that it plays against
   * itself.
   */
  readonly "policy-gradient": {
    readonly use: "policy-gradient";
    /** The policy for playouts that it learns (a name under nets). */
    readonly net: string;
    /**
     * Games of the whole run. All games of the same deal count as one. At least 1 and at most 1000000000.
     */
    readonly games: number;
    /** Games from one version of the weights to the next. At least 1 and at most 1000000000. */
    readonly every: number;
    /**
     * How often each deal is played. The return of a seat is compared with its returns in the other games
     * of the deal. At least 2 and at most 1000. Default: `8`.
     */
    readonly replays?: number;
    /**
     * What a game pays a seat. score: its return. share: its share of a win, where seats with the
     * greatest return divide the 1. Default: `"score"`.
     */
    readonly payoff?: "score" | "share";
    /**
     * Length of the first step of a weight. Later steps become shorter with the sum of its squared
     * gradients (AdaGrad). More than 0 and at most 1000. Default: `0.3`.
     */
    readonly rate?: number;
    /**
     * One game in this many is recorded; 0 records none. At least 0 and at most 1000000000. Default:
     * `1000`.
     */
    readonly record?: number;
  };
  /**
   * Learns the policy of a net, or a linear policy, from the moves of recorded games, by stochastic
   * gradient ascent on their log-likelihood.
   */
  readonly "supervised": {
    readonly use: "supervised";
    /** The recorded games to learn from (the name of a stage that gives collection). */
    readonly from: string;
    /** The net with a policy, or the linear policy, that it learns (a name under nets). */
    readonly net: string;
    /** Decisions in a minibatch. At least 1 and at most 65536. */
    readonly batch: number;
    /** Steps of the whole run, a minibatch each. At least 1 and at most 1000000000. */
    readonly steps: number;
    /**
     * Steps from one version of the weights to the next. `steps` is a multiple of it. At least 1 and at
     * most 1000000000.
     */
    readonly every: number;
    /** Learning rate: a number, or a list of { until, value } by step. */
    readonly rate: TrainerRate;
    /**
     * The optimiser that changes the weights of a net. Default: adam. Linear policies have none: their
     * steps are AdaGrad's.
     */
    readonly optimiser?: TrainerOptimiser;
    /**
     * Decay per step of a running average of the weights of a net, which is played with and saved in
     * their place; null: no average. Default: `null`.
     */
    readonly averaging?: number | null;
    /**
     * Draws a symmetry of the board with every decision, if the game has symmetries (Silver et al. 2016).
     * Features of linear policies are the same under symmetries. Default: `true`.
     */
    readonly symmetries?: boolean;
  };
  /**
   * Improves the policy of a net by policy gradients (REINFORCE), from games of the newest version
   * against earlier versions in a growing pool.
   */
  readonly "reinforcement": {
    readonly use: "reinforcement";
    /**
     * The stage whose last weights the net starts from; its net has the same settings. If absent, the net
     * starts from its `weights`, or from fresh ones (the name of a stage that gives weights).
     */
    readonly from?: string;
    /** The net whose policy it learns (a name under nets). */
    readonly net: string;
    /**
     * The agent in every seat (a name under agents). It draws its moves from the policy of the net: `use:
     * policy` with temperature 1.
     */
    readonly agent: string;
    /**
     * Games of a minibatch. All of them are against one version of the pool. At least 1 and at most
     * 1000000. Default: `128`.
     */
    readonly games?: number;
    /**
     * Steps of the optimiser in the whole run, each by the games of one minibatch. At least 1 and at most
     * 10000000.
     */
    readonly steps: number;
    /**
     * Number of steps from one version that joins the pool to the next. The first version, before any
     * step, is always in the pool. At least 1 and at most 10000000. Default: `500`.
     */
    readonly every?: number;
    /** Learning rate: a number, or a list of { until, value } by step. */
    readonly rate: TrainerRate;
    /** The optimiser that changes the weights. Default: `{"use":"sgd","momentum":0}`. */
    readonly optimiser?: TrainerOptimiser;
    /**
     * The baseline b that is subtracted from the result z of a game. It changes the variance of the
     * gradient and not its mean. Default: `{"use":"none"}`.
     */
    readonly baseline?: {
      /** No baseline: b = 0. */
      readonly use: "none";
    } | {
      /**
       * The mean result of the other games of the minibatch in which the learner has the same seat; 0 if
       * there are none (Kool, van Hoof and Welling 2019).
       */
      readonly use: "leave-one-out";
    } | {
      /** The value of the position for the learner's seat by a value net. */
      readonly use: "value-net";
      /** The value net (a name under nets). It has `weights` of its own: no stage of the run learns it. */
      readonly net: string;
    };
    /**
     * Learns each decision in a symmetric image of its position, drawn at random. For games with
     * symmetries. Default: `false`.
     */
    readonly symmetries?: boolean;
    /**
     * Positions whose gradients are computed at once. The gradients of all positions of a minibatch are
     * added up for one step, so this bounds memory; it changes the last bits of trained weights, and the
     * statistics of batch normalisation. At least 1 and at most 65536. Default: `256`.
     */
    readonly batch?: number;
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Plays games for a value net to learn from, one position a game: one agent plays up to a move that is
   * drawn at random, and another one from there to the end.
   */
  readonly "value-games": {
    readonly use: "value-games";
    /**
     * The agent that plays the moves before the random one, in every seat (a name under agents): in
     * AlphaGo the supervised policy.
     */
    readonly first: string;
    /**
     * The agent that plays from the random move to the end, in every seat (a name under agents): in
     * AlphaGo the reinforced policy.
     */
    readonly then: string;
    /** Games of the whole run. At least 1 and at most 1000000000. */
    readonly games: number;
    /**
     * Games after which a trainer learns; it divides `games`. If absent, the trainer learns once, when
     * all games are played. At least 1 and at most 1000000000.
     */
    readonly generation?: number;
    /**
     * Greatest number U of the random move: U is drawn uniformly from 1 to this number. A game that ends
     * before the position after move U is drawn again, with another U. At least 1 and at most 100000.
     * Default: `450`.
     */
    readonly longest?: number;
    /**
     * Examples of a game. one: the position after the random move. all: also every later position in
     * which a seat decides; they have the same result, and a net memorises the games. Default: `"one"`.
     */
    readonly positions?: "one" | "all";
    /**
     * Share of the games that nothing learns from. They test the net (stage value-error). At least 0 and
     * at most 0.9. Default: `0.05`.
     */
    readonly heldOut?: number;
    /**
     * The kind of result in the examples: the `values` of the net that learns from them. Default:
     * `"win-loss"`.
     */
    readonly values?: "win-loss" | "win-share" | "returns";
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Plays the first plies of many games once, on worker threads, and keeps them in a file. A learner
   * begins its games with these openings.
   */
  readonly "uct-openings": {
    readonly use: "uct-openings";
    /** The agent that plays the openings against itself (a name under agents); in the source UCT. */
    readonly agent: string;
    /** Number of openings in the database. At least 1 and at most 1000000. */
    readonly openings: number;
    /** Length of an opening in plies. At least 1 and at most 1000. Default: `4`. */
    readonly plies?: number;
    /**
     * A database from an earlier run (openings/STAGE.json in its folder), relative to this file's folder.
     * It is used instead of building one, and refused if it was built for another game or by another
     * agent.
     */
    readonly file?: string;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Reads recorded games from files in SGF, once, on worker threads, and divides them into training,
   * validation and test. Files and games that cannot be used are left out, counted and listed with the
   * reason.
   */
  readonly "sgf": {
    readonly use: "sgf";
    /**
     * Folders, files in SGF, zips of them, and .h5 files of `ludoflow convert`, relative to this file's
     * folder. Folders are read with all folders in them.
     */
    readonly sources: readonly string[];
    /** Games with fewer moves are left out. At least 1 and at most 1000000. Default: `1`. */
    readonly leastMoves?: number;
    /**
     * Only games that ended in one of these ways are taken. score: counted, or over by the rules; other:
     * the file gives only the winner; unknown: not even that. Absent: all.
     */
    readonly results?: readonly ("score" | "resignation" | "time" | "forfeit" | "other" | "unknown")[];
    /**
     * Games with more handicap stones are left out. 0: only even games. Absent: all. See setUp for other
     * positions. At least 0 and at most 361.
     */
    readonly handicap?: number;
    /**
     * Whether games are taken that begin with a position that was set up and is not a handicap, such as
     * problems, or openings that were drawn. Default: `true`.
     */
    readonly setUp?: boolean;
    /**
     * Only games are taken whose players all have a rank or a rating in this range. Ranks are ordered 30k
     * to 1k, 1d to 9d, 1p to 9p; ratings are numbers. A rank is not compared with a rating.
     */
    readonly rating?: {
      /** The lowest rank or rating that is taken: 5k, 3d, 1p, 2100. */
      readonly least?: string;
      /** The highest rank or rating that is taken. */
      readonly most?: string;
    };
    /**
     * Only games are taken whose file gives one of these values for an option of the game: { komi: [6.5,
     * 7.5] }.
     */
    readonly options?: Readonly<Record<string, readonly unknown[]>>;
    /**
     * Of games with equal starts and moves the first one is taken. symmetric: images under symmetries of
     * the board count as equal; exact: they do not; keep: duplicates are taken too. Default:
     * `"symmetric"`.
     */
    readonly duplicates?: "symmetric" | "exact" | "keep";
    /**
     * What the games are grouped by, for figures by group; at most 256 groups. source: the entry of
     * `sources`; file: the file, without its ending; player: the names of the players; rating: the lowest
     * rank or rating of the players. Games of an .h5 file keep their groups. Default: `"source"`.
     */
    readonly group?: "source" | "file" | "player" | "rating" | "none";
    /**
     * The share of the games that is kept apart for validation. Which games these are follows from their
     * moves and `seed` alone. At least 0 and at most 0.9. Default: `0.05`.
     */
    readonly validation?: number;
    /**
     * The share of the games that is kept apart for the test. Which games these are follows from their
     * moves and `seed` alone. At least 0 and at most 0.9. Default: `0.05`.
     */
    readonly test?: number;
    /**
     * Draws the parts of games: training, validation, test. At least 0 and at most 4294967295. Default:
     * `1`.
     */
    readonly seed?: number;
  };
  /**
   * Saves the weights and everything that is needed to continue learning. A run resumes from its last
   * checkpoint.
   */
  readonly "checkpoint": {
    readonly use: "checkpoint";
    /** The learner that is saved (the name of a stage that gives weights). */
    readonly from: string;
    /**
     * Number of trained versions of the weights from one checkpoint to the next. The last version is
     * always saved. At least 1 and at most 1000000. Default: `1`.
     */
    readonly every?: number;
    /**
     * Number of newest checkpoints that are kept; 0 keeps all. Replaying an old game needs the weights
     * that it was played with. At least 0 and at most 1000000. Default: `3`.
     */
    readonly keep?: number;
  };
  /**
   * Plays matches between agents, once or repeatedly during learning. In one-player games all agents get
   * the same draws of chance, as far as play allows; in other games each agent sits in each seat equally
   * often.
   */
  readonly "arena": {
    readonly use: "arena";
    /**
     * The learner whose versions are measured. If absent, one round is played after all learning, with
     * the final weights (the name of a stage that gives weights).
     */
    readonly after?: string;
    /** The agents that play (names under agents). */
    readonly agents: readonly string[];
    /**
     * Games in a round: for each agent in one-player games, in total in other games. With `sequential`,
     * the maximum. At least 1 and at most 1000000000.
     */
    readonly games: number;
    /**
     * Number of trained versions of the weights from one round to the next. The last version is always
     * measured; 0 measures only this one. Learning continues while a round is played, until the next
     * round is due. At least 0 and at most 1000000. Default: `1`.
     */
    readonly every?: number;
    /**
     * Lets earlier selves of an agent play in every round: the agent with the weights of earlier rounds.
     * After each round, all versions measured so far are rated. For games of several players; needs
     * `after`.
     */
    readonly earlier?: {
      /** The agent whose earlier selves play (one of `agents`, with the net that `after` learns). */
      readonly agent: string;
      /**
       * Number of rounds from one earlier self to the next; 1: every round leaves an earlier self for
       * later rounds. At least 1 and at most 1000000. Default: `1`.
       */
      readonly every?: number;
      /**
       * Maximum number of earlier selves in a round; the latest ones play. At least 1 and at most 100.
       * Default: `3`.
       */
      readonly most?: number;
    };
    /**
     * Ends learning when a sequential test decides that the newest version gains nothing over the version
     * of some rounds before, by the games of these two in all rounds. Needs `earlier`, and a learner from
     * self-play.
     */
    readonly until?: {
      /**
       * Elo that the newest version should gain over the earlier one. The test decides between this gain
       * and none. More than 0 and at most 5000.
       */
      readonly gain: number;
      /**
       * The earlier version is that of so many rounds before: a multiple of `earlier.every`, and at most
       * `earlier.most` times as much. At least 1 and at most 1000000.
       */
      readonly versions: number;
      /**
       * Probability that learning continues if the gain is 0. More than 0 and less than 0.5. Default:
       * `0.05`.
       */
      readonly alpha?: number;
      /**
       * Probability that learning ends if the gain is `gain`. More than 0 and less than 0.5. Default:
       * `0.05`.
       */
      readonly beta?: number;
    };
    /**
     * Which agents share a table. round-robin: every set of as many agents as seats, in every rotation;
     * with fewer agents than seats, they take several seats in turn. all-pairs: every two agents share a
     * table in all seatings that have both (2 seatings for two seats, 14 for four). one-vs-rest: for each
     * other agent, the first agent sits once in every seat, and the other one has all others.
     * pairs-among-rest: every two agents except the last one have one seat each, in all ways (20 for five
     * seats); the last agent has all remaining seats. Default: `"round-robin"`.
     */
    readonly seats?: "round-robin" | "all-pairs" | "one-vs-rest" | "pairs-among-rest";
    /**
     * rotated: seats change in a fixed order. random: every block has an order drawn at random, and in a
     * round-robin also a random seating order. In both cases every agent sits in each seat equally often
     * in a block. Default: `"rotated"`.
     */
    readonly seating?: "rotated" | "random";
    /**
     * own: every game has its own draws of chance. shared: games in which the same agents change seats
     * have the same draws of chance as far as play allows (in Daihinmin the same deal), so that no agent
     * has better cards. Default: `"own"`.
     */
    readonly deals?: "own" | "shared";
    /**
     * How games start: with plies drawn at random, or with openings from a book. Absent: at the start of
     * the game.
     */
    readonly openings?: {
      /**
       * Number of decisions at the start that are drawn at random, uniformly among the legal moves. At
       * least 1 and at most 1000.
       */
      readonly plies?: number;
      /**
       * A file of openings, which are used in turn: a text file with one opening per line, moves in the
       * game's notation separated by spaces, # before comments; or a database that a stage of openings
       * has built (openings/STAGE.json in the folder of a run). The path is relative to the folder of the
       * experiment file.
       */
      readonly book?: string;
      /**
       * Whether the games in which the same agents change seats share their opening, so that no agent has
       * better openings. false: every game has its own opening. Default: `true`.
       */
      readonly shared?: boolean;
    };
    /**
     * Plays until a sequential test decides between the hypotheses elo0 and elo1, at most `games` games.
     * For two agents only.
     */
    readonly sequential?: {
      /** First hypothesis: Elo of the first agent over the second. At least -5000 and at most 5000. */
      readonly elo0: number;
      /**
       * Second hypothesis: Elo of the first agent over the second; greater than elo0. At least -5000 and
       * at most 5000.
       */
      readonly elo1: number;
      /** Probability of accepting elo1 when elo0 is true. More than 0 and less than 0.5. Default: `0.05`. */
      readonly alpha?: number;
      /** Probability of accepting elo0 when elo1 is true. More than 0 and less than 0.5. Default: `0.05`. */
      readonly beta?: number;
    };
    /**
     * Gives every agent with simulations as many as take the processor time of a decision of the
     * reference: true for the first agent, { to: AGENT } for another one. Times are measured, and numbers
     * fixed and recorded, before the first game.
     */
    readonly equalTime?: boolean | {
      /** The agent whose time the others get (one of `agents`). If absent, the first agent. */
      readonly to?: string;
      /**
       * Games that are played in turn until a measurement is long enough, rounded up to whole blocks. If
       * absent, 16; with nets that are computed in batches as many as are under way in the match. At
       * least 1 and at most 1000000000.
       */
      readonly games?: number;
    };
    /**
     * What happens with a game that a player cannot continue, such as an outside program that died, hung
     * or broke the rules. forfeit: the player's seat is last and the others share the win; the unfinished
     * returns are not counted. drop-game: the game is not counted. stop: the run fails. Failures are
     * always counted and reported. Default: `"forfeit"`.
     */
    readonly onFailure?: "forfeit" | "drop-game" | "stop";
    /**
     * Number of games at the start of each round that are analysed: the players' evaluation of each move
     * is kept, and the report gets a page for stepping through the game. At least 0 and at most
     * 1000000000. Default: `0`.
     */
    readonly analyse?: number;
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Tests agents on positions of a file whose right moves are known: the share in which an agent plays
   * one of them, once or repeatedly during learning.
   */
  readonly "test-suite": {
    readonly use: "test-suite";
    /**
     * The learner whose versions are tested. If absent, one round is played after all learning, with the
     * final weights (the name of a stage that gives weights).
     */
    readonly after?: string;
    /**
     * A CSV file with the columns `position` (in the game's notation) and `moves` (the right moves,
     * separated by spaces). The path is relative to the folder of the experiment file.
     */
    readonly file: string;
    /** The agents that are tested (names under agents). */
    readonly agents: readonly string[];
    /**
     * Number of positions that are drawn from the file, the same ones in every round; null: all of them.
     * Default: `null`.
     */
    readonly positions?: number | null;
    /**
     * Further columns of the file: shares are also reported for each group of positions with equal
     * entries in them. Default: `[]`.
     */
    readonly by?: readonly string[];
    /**
     * Whether the value that an agent gives each position is compared with the column `outcome` of the
     * file: 1 if the seat to move wins, 0 for a draw, -1 if it loses. Default: `false`.
     */
    readonly values?: boolean;
    /**
     * Number of trained versions of the weights from one round to the next. The last version is always
     * measured; 0 measures only this one. Learning continues while a round is played, until the next
     * round is due. At least 0 and at most 1000000. Default: `1`.
     */
    readonly every?: number;
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Plays games to examine a policy: for each ply the number of legal moves, the probability of the
   * likeliest moves together, and the rank of the move that the search chose.
   */
  readonly "policy-statistics": {
    readonly use: "policy-statistics";
    /**
     * The learner whose versions are examined. If absent, one round is played after all learning, with
     * the final weights (the name of a stage that gives weights).
     */
    readonly after?: string;
    /** The agent whose net's policy is examined (a name under agents). The net needs a policy. */
    readonly agent: string;
    /**
     * The agent in all other seats (a name under agents); the seat of `agent` changes from game to game.
     * If absent, `agent` plays in every seat.
     */
    readonly opponent?: string;
    /** Games in a round. All of them are analysed. At least 1 and at most 1000000000. Default: `30`. */
    readonly games?: number;
    /**
     * Number of trained versions of the weights from one round to the next. The last version is always
     * measured; 0 measures only this one. Learning continues while a round is played, until the next
     * round is due. At least 0 and at most 1000000. Default: `0`.
     */
    readonly every?: number;
    /**
     * Number of decisions at the start that are drawn at random, uniformly among the legal moves. At
     * least 1 and at most 1000.
     */
    readonly plies?: number;
    /**
     * Increasing numbers of moves. For each number k, the statistics have the probability of the k
     * likeliest moves together. Default: `[10,50,100]`.
     */
    readonly tops?: readonly number[];
    /**
     * Number of moves per decision that are kept for the report. At least 1 and at most 1000. Default:
     * `12`.
     */
    readonly moves?: number;
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Measures the mean squared error of value nets on positions whose results are known, in total and by
   * ply, and that of rollouts by agents.
   */
  readonly "value-error": {
    readonly use: "value-error";
    /**
     * The stage that plays games for value nets and holds some of them out (the name of a stage that
     * gives games).
     */
    readonly games?: string;
    /**
     * The stage that reads recorded games, in place of `games` (the name of a stage that gives
     * collection).
     */
    readonly collection?: string;
    /** The nets whose values are measured (names under nets); [] measures rollouts alone. */
    readonly nets: readonly string[];
    /** The agents whose rollouts also value the positions. Default: `[]`. */
    readonly rollouts?: readonly {
      /** The agent in every seat of the rollouts. It draws its moves. */
      readonly agent: string;
      /**
       * Rollouts from each position; their mean result is the value. At least 1 and at most 100000.
       * Default: `100`.
       */
      readonly count?: number;
    }[];
    /** The kind of result that a value predicts: the `values` of all the nets. Default: `"win-loss"`. */
    readonly values?: "win-loss" | "win-share" | "returns";
    /**
     * Most games whose positions are valued: held-out games, and as many of those learned from; or games
     * of a collection. At least 2 and at most 10000000. Default: `500`.
     */
    readonly test?: number;
    /**
     * Most positions of a game of a collection; they are drawn uniformly. Of other games all examples are
     * taken. At least 1 and at most 10000. Default: `1`.
     */
    readonly positions?: number;
    /** The part of the collection that the games are from. Default: `"test"`. */
    readonly part?: "training" | "validation" | "test";
    /** Number of plies in a bin, for the error by ply. At least 1 and at most 10000. Default: `10`. */
    readonly width?: number;
    /**
     * Games under way per worker thread. Their evaluations share batches. If absent, the run measures at
     * its start how many games fill good batches; without a net it is 32. It changes speed and memory,
     * not the results of a reproducible run. At least 1 and at most 4096.
     */
    readonly inFlight?: number;
    /**
     * How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.
     * At least 0 and at most 10. Default: `0`.
     */
    readonly retries?: number;
  };
  /**
   * Measures how well policies predict the moves of recorded games that they have not learned from: how
   * often the likeliest, or one of the five likeliest, was played, and the mean log-likelihood.
   */
  readonly "policy-accuracy": {
    readonly use: "policy-accuracy";
    /** The recorded games (the name of a stage that gives collection). */
    readonly from: string;
    /**
     * The learner whose versions are measured. If absent, one round is measured after all learning, with
     * the final weights (the name of a stage that gives weights).
     */
    readonly after?: string;
    /** The policies that are measured. */
    readonly policies: readonly {
      /** A net with a policy, or a linear policy (a name under nets). */
      readonly net: string;
      /**
       * `ensemble`: the mean of the probabilities in all symmetric images of the position (Silver et al.
       * 2016). Default: `"none"`.
       */
      readonly symmetries?: "none" | "ensemble";
    }[];
    /**
     * The games whose moves are predicted: `validation` to watch and choose by, `test` for the last
     * figure, `training` to see how much the net has memorised. Default: `"validation"`.
     */
    readonly part?: "training" | "validation" | "test";
    /**
     * Number of positions that are drawn from these games, the same ones in every round; null: all of
     * them. Default: `null`.
     */
    readonly positions?: number | null;
    /** Number of plies in a bin, for figures by ply. At least 1 and at most 10000. Default: `10`. */
    readonly width?: number;
    /**
     * Number of trained versions of the weights from one round to the next. The last version is always
     * measured; 0 measures only this one. Learning continues while a round is played, until the next
     * round is due. At least 0 and at most 1000000. Default: `1`.
     */
    readonly every?: number;
  };
  /**
   * Evaluates positions with a net in batches, for all games under way. Every net that an agent uses has
   * an evaluator; name it only to change its settings.
   */
  readonly "batch-evaluator": {
    readonly use: "batch-evaluator";
    /** The net it computes (a name under nets). */
    readonly net: string;
    /**
     * Maximum number of positions in one request of a worker thread. At least 1 and at most 65536.
     * Default: `256`.
     */
    readonly batch?: number;
    /**
     * Number of threads that compute batches side by side, each with its own session of the net. Absent:
     * one per core as far as memory allows, and two on a GPU. At least 1 and at most 1024.
     */
    readonly sessions?: number;
    /**
     * Maximum number of versions of the net's weights that each session holds. Several are in use if
     * agents play against earlier selves, or if games with an earlier version are still under way. The
     * least recently used version is dropped, and loaded again when it is needed. It changes speed and
     * memory, not results. At least 1 and at most 1024. Default: `12`.
     */
    readonly versions?: number;
    /**
     * Number of positions whose responses each worker thread keeps, separately for each version of the
     * weights; 0 for none. It changes speed and memory, not results. At least 0 and at most 100000000.
     * Default: `0`.
     */
    readonly cache?: number;
    /**
     * Symmetric images of a position over which values and priors are averaged: `none`; `all`; or a
     * number of images, drawn by the hash of the position. Default: `"none"`.
     */
    readonly symmetries?: "none" | "all" | number;
  };
}

/** One of `GraphStages`. */
export type ExperimentStage = GraphStages[keyof GraphStages];

/** The type of `max-n`, `paranoid`, `best-reply`. */
export interface MaxNOptions {
  /**
   * Depth in moves, including the root's own. 0: as deep as milliseconds allow, or 2 without a time
   * limit. At least 0 and at most 255. Default: `0`.
   */
  readonly depth?: number;
  /**
   * Time of a decision in milliseconds: processor time of the searching thread in the stages of
   * experiments, otherwise wall time. The search looks 1, 2, 3 ... moves ahead until the time is up, and
   * decides by the last depth that it completed. 0 means no limit. Decisions under a time limit are not
   * reproducible. At least 0 and at most 86400000. Default: `0`.
   */
  readonly milliseconds?: number;
  /**
   * What positions are valued by: one of the game's static evaluations (Blokus: placed, score) or
   * returns; auto: the first static evaluation, returns if there is none. Default: `"auto"`.
   */
  readonly value?: string;
  /**
   * What a seat maximises: its own value, or the margin, (players - 1) x own - sum of the others.
   * Default: `"own"`.
   */
  readonly payoff?: "own" | "margin";
  /**
   * Where moves are pruned that cannot be the best. full: everywhere. inner: not at the root, so that the
   * value of every move is exact. none: nowhere. Default: `"full"`.
   */
  readonly pruning?: "full" | "inner" | "none";
  /**
   * Number of entries of the transposition table; 0 turns it off. It needs a game with a position hash.
   * At least 0 and at most 16777216. Default: `65536`.
   */
  readonly table?: number;
}

/** The type of `mc-softmax.selection`, `mc-softmax.backup`, `mc-softmax.sampling`. */
export type McSoftmaxSelection = "L-log" | "G-log" | "L-max" | "G-max" | "ave" | "best" | number | {
  /** A constant temperature. */
  readonly use: "constant";
  /** The temperature. At least 0 and at most 1000000. */
  readonly value: number;
  /**
   * How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value,
   * which becomes 1. log: by the logarithm. Default: `"max"`.
   */
  readonly map?: "none" | "max" | "log";
} | {
  /** Temperature 1 - (i - 1)/n in simulation i of n. */
  readonly use: "linear";
  /**
   * Which simulations i and n count, if there are several trees. tree: those of each tree by itself.
   * all-rounds: those of all trees together, round by round (the first of every tree, then the second of
   * every tree). all-trees: those of all trees together, tree after tree. Default: `"tree"`.
   */
  readonly over?: "tree" | "all-rounds" | "all-trees";
  /**
   * How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value,
   * which becomes 1. log: by the logarithm. Default: `"max"`.
   */
  readonly map?: "none" | "max" | "log";
} | {
  /** Temperature factor / 2^log10(n), where n is the number of visits of the node. */
  readonly use: "visits";
  /** The temperature at one visit. It halves with every factor of ten. More than 0 and at most 1000000. */
  readonly factor: number;
  /**
   * How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value,
   * which becomes 1. log: by the logarithm. Default: `"max"`.
   */
  readonly map?: "none" | "max" | "log";
} | {
  /** Temperature factor / 2^log10(n), where n is the number of simulations of the tree so far. */
  readonly use: "simulations";
  /**
   * The temperature at one simulation. It halves with every factor of ten. More than 0 and at most
   * 1000000.
   */
  readonly factor: number;
  /**
   * How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value,
   * which becomes 1. log: by the logarithm. Default: `"max"`.
   */
  readonly map?: "none" | "max" | "log";
} | {
  /** A temperature drawn uniformly from [from, to), anew for each simulation or sampled path. */
  readonly use: "uniform";
  /** The least temperature. At least 0 and at most 1000000. */
  readonly from: number;
  /** The upper end, itself excluded. At least 0 and at most 1000000. */
  readonly to: number;
  /**
   * How values are mapped before the Boltzmann weights. none: not at all. max: divided by the best value,
   * which becomes 1. log: by the logarithm. Default: `"max"`.
   */
  readonly map?: "none" | "max" | "log";
};

/** The type of `uct.resign`, `puct-max-n.resign`, `gumbel.resign`, `apv-mcts.resign`. */
export type UctResign = {
  /**
   * The value that the player resigns below, in units of the returns that it plays for. At least -1 and
   * at most 1.
   */
  readonly below: number;
  /**
   * Number of its own decisions in a row whose value lies below. At least 1 and at most 1000. Default:
   * `3`.
   */
  readonly decisions?: number;
} | null;

/** The type of `uct.rave`, `mcts-max-n.rave`, `mcts-best-reply.rave`. */
export type UctRave = null | {
  /** The weight follows from an equivalence parameter. */
  readonly use: "equivalence";
  /**
   * Visits of a node at which a move's own statistics and its AMAF statistics weigh the same. More than 0
   * and at most 1000000000.
   */
  readonly k: number;
} | {
  /** The weight follows from the bias of the statistics. */
  readonly use: "bias";
  /** The assumed bias of AMAF values, in units of the payoff. At least 0 and at most 1000. */
  readonly b: number;
};

/** The type of `uct.prior`, `mcts-max-n.prior`, `mcts-best-reply.prior`. */
export type UctPrior = null | {
  /**
   * What values moves: preference (how much the game prefers the move, from 0 for the least among the
   * legal moves to 1 for the greatest), policy (the odds of the move relative to the likeliest one, by
   * the policy of the net), or one of the game's move priors.
   */
  readonly of: string;
  /**
   * Virtual visits of each new move. 0: the prior only orders moves for widening. At least 0 and at most
   * 1000000.
   */
  readonly visits: number;
  /**
   * Temperature T: the prior value p counts as p^(1/T). Above 1 it brings the odds of a sharp policy
   * closer together. More than 0 and at most 1000. Default: `1`.
   */
  readonly temperature?: number;
};

/** The type of `uct.widening`, `mcts-max-n.widening`, `mcts-best-reply.widening`. */
export type UctWidening = null | {
  /**
   * Visits of a node before its second move is considered (Coulom: 40). More than 0 and at most
   * 1000000000.
   */
  readonly simulations: number;
  /**
   * Each further move needs this many times the visits that the move before it needed (Coulom: 1.4). At
   * least 1 and at most 1000.
   */
  readonly growth: number;
};

/** The type of `so-ismcts`, `so-ismcts-pom`, `mo-ismcts`. */
export interface SoIsmctsOptions {
  /** The net whose policy draws the moves of playouts (a name under nets). */
  readonly net?: string;
  /**
   * Simulations of a decision. Each one starts from a new determinization: a position drawn from those
   * that agree with what the player has seen. At least 1 and at most 10000000. Default: `1000`.
   */
  readonly simulations?: number;
  /**
   * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
   * stages of experiments it is processor time of the searching thread, unless the agent waits for a net;
   * otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and at most
   * 86400000. Default: `0`.
   */
  readonly milliseconds?: number;
  /**
   * C of mean + C sqrt(2 ln n / n_j), in units of the returns. At least 0 and at most 1000000. Default:
   * `1`.
   */
  readonly exploration?: number;
  /**
   * Visits of a leaf before the visit that expands it. The root is expanded at once. At least 1 and at
   * most 1000000. Default: `10`.
   */
  readonly expansion?: number;
  /**
   * What n counts in mean + C sqrt(2 ln n / n_j). availability: how often the move could have been
   * selected (Cowling et al. 2012, section V). parent: the visits of the parent (Tsubokura and Nishino,
   * equation 1). Default: `"availability"`.
   */
  readonly counts?: "availability" | "parent";
  /**
   * Which children a visit adds to an expanded node. one: one child, in which the simulation ends. every:
   * a child for each move that is legal in the determinization, each with a simulation of its own, which
   * counts as one of the simulations (Tsubokura and Nishino, section 2.1). Default: `"one"`.
   */
  readonly children?: "one" | "every";
  /**
   * What the other players do in the tree. max-n: each maximises its own return. paranoid: each minimises
   * the return of the player to move at the root. cooperative: each maximises it. (Tsubokura and Nishino
   * back up the gain as the root's player sees it; section 2.1.) Default: `"max-n"`.
   */
  readonly opponents?: "max-n" | "paranoid" | "cooperative";
  /**
   * Value of a move without a visit, in units of the returns: it is tried where this is greater than mean
   * + C sqrt(2 ln n / n_j) of all others. null: such moves come before all others. Default: `null`.
   */
  readonly firstPlay?: number | null;
  /**
   * What the move played has most of: visits, or the mean return. Between equals the other one decides.
   * Default: `"visits"`.
   */
  readonly final?: "visits" | "mean";
  /**
   * With a grouping: whether final chooses a group first, then a move of it. false: it chooses among all
   * moves. Default: `true`.
   */
  readonly groupFirst?: boolean;
  /**
   * Whether a single legal move is searched too. It is played in any case; the search gives it values,
   * and takes the time of any other. Default: `false`.
   */
  readonly searchForced?: boolean;
  /**
   * Probability that a playout move is drawn from all legal moves. Otherwise the net's policy draws it,
   * or, without a net, it is a move that the game prefers (in Daihinmin the default client's). 1 makes
   * playouts uniformly random. At least 0 and at most 1. Default: `1`.
   */
  readonly epsilon?: number;
  /**
   * The name of a grouping of the game's actions (in Daihinmin AI1, AI2, AI3), for a layer of group nodes
   * in the tree. none: no such layer. Default: `"none"`.
   */
  readonly grouping?: string;
}

/** The type of `mcts-max-n`, `mcts-paranoid`. */
export interface MctsMaxNOptions {
  /** The net whose policy draws the moves of playouts (a name under nets). */
  readonly net?: string;
  /**
   * Simulations of a decision. The one that expands the root of a new tree is extra. At least 1 and at
   * most 10000000. Default: `800`.
   */
  readonly simulations?: number;
  /**
   * Time of a decision in milliseconds, in place of simulations; 0 means that simulations count. In the
   * stages of experiments it is processor time of the searching thread, unless the agent waits for a net;
   * otherwise it is wall time. Decisions under a time limit are not reproducible. At least 0 and at most
   * 86400000. Default: `0`.
   */
  readonly milliseconds?: number;
  /** C of UCB1, in units of the payoff. At least 0 and at most 1000000. Default: `0.2`. */
  readonly exploration?: number;
  /**
   * W of Progressive History; 0 turns it off. Needs payoffs between 0 and 1. At least 0 and at most
   * 1000000. Default: `5`.
   */
  readonly progressiveHistory?: number;
  /**
   * Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go
   * without own eyes and suicides. Otherwise it is one that the game prefers. 1 makes playouts uniformly
   * random. At least 0 and at most 1. Default: `0.05`.
   */
  readonly epsilon?: number;
  /**
   * What a finished game pays. win: 1 to every seat with the top return, 0 to the others. share: the win
   * share, where seats that share the top return divide the 1. score: the returns. Default: `"win"`.
   */
  readonly payoff?: "win" | "share" | "score";
  /**
   * Visits of a leaf before the visit that expands it. The root is expanded after its first visit. At
   * least 1 and at most 1000000. Default: `1`.
   */
  readonly expansion?: number;
  /**
   * Whether the search proves the exact values of nodes near the end of the game (MCTS-Solver). Default:
   * `false`.
   */
  readonly solver?: boolean;
  /**
   * Whether the tree below the moves played is kept for the next decision. The simulations counted in it
   * are extra. Default: `false`.
   */
  readonly reuse?: boolean;
  /**
   * T of the policy target n exp(q / T), where n is the visits of a move and q its mean payoff (the
   * E-step of Abdolmaleki et al. 2018). Use it with hundreds of moves: each is visited once or twice, and
   * visits alone say little. 0: the visits are the target. At least 0 and at most 1000000. Default: `0`.
   */
  readonly learnTemperature?: number;
  /**
   * Rapid action value estimation: selection mixes a move's mean payoff with that of all simulations in
   * which the mover makes the move later (AMAF), weighted by beta. null: no AMAF statistics. Default:
   * `null`.
   */
  readonly rave?: UctRave;
  /**
   * Each new move starts with virtual visits that paid its prior value, from 0 to 1, also in its AMAF
   * statistics. null: new moves start without visits. Default: `null`.
   */
  readonly prior?: UctPrior;
  /**
   * Progressive widening: a node considers one move at first, and more with its visits, those of greatest
   * prior first. null: all moves at once. Default: `null`.
   */
  readonly widening?: UctWidening;
  /**
   * First-play urgency: the value of a move that has no visits, real, virtual or AMAF, in units of the
   * payoff. null: such moves come before all others. Default: `null`.
   */
  readonly firstPlay?: null | number;
  /**
   * The name of a grouping of the game's actions (in Daihinmin AI1, AI2, AI3), for a layer of group nodes
   * in the tree. none: no such layer. Default: `"none"`.
   */
  readonly grouping?: string;
}

/** The type of `puct-max-n.playoutCap`, `gumbel.playoutCap`. */
export type PuctMaxNPlayoutCap = {
  /** Share of the decisions that are made by a full search. At least 0 and at most 1. */
  readonly fraction: number;
  /** Simulations of a quick search. At least 1 and at most 10000000. */
  readonly simulations: number;
} | null;

/** The type of `puct-max-n.playouts`, `gumbel.playouts`. */
export type PuctMaxNPlayouts = null | {
  /**
   * Weight of the playout's return in the value of the leaf. The net's value has the rest. More than 0
   * and at most 1.
   */
  readonly weight: number;
  /**
   * Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go
   * without own eyes and suicides. Otherwise it is one that the game prefers. 1 makes playouts uniformly
   * random. At least 0 and at most 1.
   */
  readonly epsilon: number;
};

/** The type of `puct-max-n.temperature`, `gumbel.temperature`, `apv-mcts.temperature`. */
export type PuctMaxNTemperature = readonly {
  /**
   * The last decision of this phase, counted from 1. Without it, the phase has no end. At least 1 and at
   * most 1000000.
   */
  readonly until?: number;
  /**
   * The temperature. 0 plays the most visited move; 1 draws in proportion to the visits. At least 0 and
   * at most 1000.
   */
  readonly value: number;
}[];

/** The type of `self-play.openings.forks.back`, `self-play.openings.plies`. */
export type SelfPlayOpeningsForksBack = number | {
  /** The least number. At least 1 and at most 1000. */
  readonly least: number;
  /** The greatest number. At least 1 and at most 1000. */
  readonly most: number;
};

/** The type of `self-play.monitor`, `td-learner.monitor`. */
export interface SelfPlayMonitor {
  /**
   * Smallest allowed ratio of V(start) to the mean score. At least -1000000 and at most 1000000. Default:
   * `0.1`.
   */
  readonly low?: number;
  /**
   * Largest allowed ratio of V(start) to the mean score. At least -1000000 and at most 1000000. Default:
   * `1.5`.
   */
  readonly high?: number;
  /** Games before the ratio is first checked. At least 0 and at most 1000000000. Default: `1000`. */
  readonly warmUp?: number;
  /**
   * Number of latest games that both means are taken over. At least 1 and at most 1000000. Default:
   * `200`.
   */
  readonly window?: number;
}

/** The type of `trainer.rate`, `supervised.rate`, `reinforcement.rate`. */
export type TrainerRate = number | readonly {
  /** The value holds up to this step. At least 1 and at most 1000000000000. */
  readonly until?: number;
  /** Learning rate. More than 0 and at most 100. */
  readonly value: number;
}[];

/** The type of `trainer.optimiser`, `supervised.optimiser`, `reinforcement.optimiser`. */
export type TrainerOptimiser = {
  /** Stochastic gradient descent with momentum. */
  readonly use: "sgd";
  /** Momentum; 0 for none. At least 0 and less than 1. Default: `0.9`. */
  readonly momentum?: number;
  /**
   * Fraction of each weight that is subtracted per step and unit of learning rate (decoupled weight
   * decay). At least 0 and at most 1. Default: `0`.
   */
  readonly weightDecay?: number;
  /**
   * L2 penalty as in AlphaZero: half of this number times the sum of squares of all weights is added to
   * the loss. At least 0 and at most 1. Default: `0`.
   */
  readonly penalty?: number;
} | {
  /** Adam (Kingma and Ba 2015). */
  readonly use: "adam";
  /** Decay of the mean gradient. At least 0 and less than 1. Default: `0.9`. */
  readonly beta1?: number;
  /** Decay of the mean squared gradient. At least 0 and less than 1. Default: `0.999`. */
  readonly beta2?: number;
  /** Added to the root of the mean squared gradient. More than 0 and at most 1. Default: `1e-8`. */
  readonly epsilon?: number;
  /**
   * Fraction of each weight that is subtracted per step and unit of learning rate (decoupled weight
   * decay). At least 0 and at most 1. Default: `0`.
   */
  readonly weightDecay?: number;
};
