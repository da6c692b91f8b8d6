"""Executes recorded graphs by PyTorch: the process behind `engine: torch`.

Only Python's standard library and torch (1.13 and newer) are used. A graph arrives as data, operator by operator, with its
constants; no code is executed that the graph names. `process.ts` starts this file and describes the frames of the pipes.
"""

import signal

# Ctrl-C at the terminal is for the run, which ends this process by closing its input.
signal.signal(signal.SIGINT, signal.SIG_IGN)

import ctypes  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import queue  # noqa: E402
import struct  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402

OLDEST = (1, 13)
"""The oldest PyTorch whose operators are known to suffice."""

WAITING = 4
"""Requests that are read ahead while another one is computed."""


# Frames: the length of the header and of the payload, both little-endian, then the header as JSON, then the payload.

LENGTHS = struct.Struct("<IQ")

# What a library prints must not get between the frames.
OUTPUT = os.dup(1)
os.dup2(2, 1)


def read_exactly(into):
    """Fills a writable buffer from the input; ends the process at the end of the input."""
    view = memoryview(into)
    while len(view) > 0:
        count = sys.stdin.buffer.raw.readinto(view)
        if not count:
            # The other side is gone: what is being computed is of no use.
            os._exit(0)
        view = view[count:]


def read_frames(frames):
    while True:
        lengths = bytearray(LENGTHS.size)
        read_exactly(lengths)
        header_size, payload_size = LENGTHS.unpack(lengths)
        header = bytearray(header_size)
        read_exactly(header)
        payload = bytearray(payload_size)
        read_exactly(payload)
        frames.put((json.loads(bytes(header)), payload))


def write_frame(header, payloads=()):
    data = json.dumps(header).encode()
    size = sum(len(payload) for payload in payloads)
    for part in (LENGTHS.pack(len(data), size), data, *payloads):
        view = memoryview(part)
        while len(view) > 0:
            view = view[os.write(OUTPUT, view):]


def refuse(kind, message):
    """Reports why this process cannot compute, and ends it."""
    write_frame({"refused": kind, "message": message, "python": sys.version.split()[0], "program": sys.executable})
    os._exit(1)


try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    refuse("missing" if getattr(error, "name", "") == "torch" else "broken", str(error))

TYPES = {
    "float32": torch.float32,
    "int8": torch.int8,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
    "bool": torch.bool,
}

CAST_TO = {1: torch.float32, 2: torch.uint8, 6: torch.int32, 7: torch.int64, 9: torch.bool}
"""ONNX's numbers of types."""


class Unsupported(Exception):
    """A graph has an operator, or a form of it, that is not known here."""


class Node:
    """A node of a graph while its kernel is made. Kernels name the inputs that they take as tensors by `tensors`."""

    def __init__(self, data, constants):
        self.operator = data["op"]
        self.inputs = data["inputs"]
        self.outputs = data["outputs"]
        self.attributes = data["attributes"]
        self.layer = data["layer"]
        self.name = data["name"]
        self.tensors = list(self.inputs)
        self._constants = constants

    def attribute(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)

    def has(self, index):
        return index < len(self.inputs) and self.inputs[index] != ""

    def numbers(self, index, otherwise=None):
        """The numbers of an input that is a constant: shapes, axes, bounds."""
        if not self.has(index):
            return otherwise
        constant = self._constants.get(self.inputs[index])
        if constant is None:
            raise Unsupported(f"{self.operator} {self.name}: input {index} must be a constant")
        return constant.tolist()

    def is_constant(self, index):
        return self.has(index) and self.inputs[index] in self._constants

    def only(self, *indices):
        """Notes which inputs are taken as tensors; the others were read while the kernel was made."""
        self.tensors = [self.inputs[index] for index in indices if self.has(index)]


KERNELS = {}


def kernel(*operators):
    """Registers what makes the kernel of a node: a function of its tensors that returns its only output."""

    def register(make):
        for operator in operators:
            KERNELS[operator] = make
        return make

    return register


def elementwise(**functions):
    for operator, function in functions.items():
        KERNELS[operator] = lambda node, function=function: function


def variadic(function):
    def make(node):
        def run(first, *rest):
            for other in rest:
                first = function(first, other)
            return first

        return run

    return make


elementwise(
    Add=torch.add,
    Sub=torch.sub,
    Mul=torch.mul,
    Pow=torch.pow,
    Greater=torch.gt,
    GreaterOrEqual=torch.ge,
    Less=torch.lt,
    LessOrEqual=torch.le,
    Equal=torch.eq,
    And=torch.logical_and,
    Or=torch.logical_or,
    Not=torch.logical_not,
    Abs=torch.abs,
    Ceil=torch.ceil,
    Cos=torch.cos,
    Erf=torch.erf,
    Exp=torch.exp,
    Floor=torch.floor,
    Log=torch.log,
    Neg=torch.neg,
    Reciprocal=torch.reciprocal,
    Relu=torch.relu,
    Sigmoid=torch.sigmoid,
    Sign=torch.sign,
    Sin=torch.sin,
    Softplus=F.softplus,
    Sqrt=torch.sqrt,
    Tanh=torch.tanh,
    Where=torch.where,
    Identity=lambda x: x,
    MatMul=torch.matmul,
)
KERNELS["Max"] = variadic(torch.maximum)
KERNELS["Min"] = variadic(torch.minimum)


@kernel("Div")
def division(node):
    # ONNX divides integers by integers; torch's quotient of integers is a float.
    return lambda a, b: torch.div(a, b) if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


@kernel("HardSigmoid")
def hard_sigmoid(node):
    alpha, beta = node.attribute("alpha", 0.2), node.attribute("beta", 0.5)
    if alpha > 1e38 and beta == 0:
        # Recorded as the step of a rectified value. The product would be infinite in half precision.
        return lambda x: (x > 0).to(x.dtype)
    return lambda x: torch.clamp(x * alpha + beta, 0, 1)


@kernel("Elu")
def elu(node):
    alpha = node.attribute("alpha", 1.0)
    return lambda x: F.elu(x, alpha)


@kernel("LeakyRelu")
def leaky_relu(node):
    alpha = node.attribute("alpha", 0.01)
    return lambda x: F.leaky_relu(x, alpha)


@kernel("Clip")
def clip(node):
    if not (node.is_constant(1) and node.is_constant(2)):
        return lambda x, low, high: torch.minimum(torch.maximum(x, low), high)
    low, high = node.numbers(1), node.numbers(2)
    node.only(0)
    return lambda x: torch.clamp(x, low, high)


@kernel("Cast")
def cast(node):
    target = CAST_TO.get(node.attribute("to"))
    if target is None:
        raise Unsupported(f"Cast {node.name}: no type has the number {node.attribute('to')}")
    return lambda x: x.to(target)


@kernel("Reshape")
def reshape(node):
    shape = node.numbers(1)
    node.only(0)
    return lambda x: x.reshape(shape)


@kernel("Expand")
def expand(node):
    shape = node.numbers(1)
    node.only(0)
    return lambda x: x.expand(torch.broadcast_shapes(x.shape, shape))


@kernel("Tile")
def tile(node):
    repeats = node.numbers(1)
    node.only(0)
    return lambda x: x.repeat(repeats)


@kernel("Transpose")
def transpose(node):
    permutation = node.attribute("perm")
    return lambda x: x.permute(permutation)


@kernel("Concat")
def concat(node):
    axis = node.attribute("axis")
    return lambda *parts: torch.cat(parts, axis)


@kernel("Slice")
def slice_of(node):
    starts, ends = node.numbers(1), node.numbers(2)
    axes = node.numbers(3, list(range(len(starts))))
    steps = node.numbers(4, [1] * len(starts))
    node.only(0)
    cuts = list(zip(axes, starts, ends, steps))

    def run(x):
        for axis, start, end, step in cuts:
            # Bounds beyond the ends, and negative ones, mean the same in ONNX and in Python.
            first, last, stride = slice(start, end, step).indices(x.shape[axis])
            count = len(range(first, last, stride))
            if stride < 0:
                x = x.flip(axis)
                first, stride = x.shape[axis] - 1 - first, -stride
            x = x.narrow(axis, first, (count - 1) * stride + 1 if count > 0 else 0)
            if stride > 1:
                x = x[(slice(None),) * (axis % x.dim()) + (slice(None, None, stride),)]
        return x

    return run


@kernel("Pad")
def pad(node):
    if node.attribute("mode", "constant") != "constant":
        raise Unsupported(f"Pad {node.name}: only constant padding is known")
    amounts = node.numbers(1)
    value = node.numbers(2, 0)
    node.only(0)
    rank = len(amounts) // 2
    # torch names the last axis first.
    backwards = [size for axis in reversed(range(rank)) for size in (amounts[axis], amounts[rank + axis])]
    return lambda x: F.pad(x, backwards, value=value)


@kernel("ConstantOfShape")
def constant_of_shape(node):
    shape = node.numbers(0)
    node.only()
    device = node.device
    return lambda: torch.zeros(shape, device=device)


@kernel("Gather")
def gather(node):
    axis = node.attribute("axis", 0)

    def run(x, indices):
        # The number of a step is a number of Python.
        if isinstance(indices, int) or indices.dim() == 0:
            return x.select(axis, int(indices))
        shape = x.shape[:axis] + indices.shape + x.shape[axis + 1:]
        return x.index_select(axis, indices.reshape(-1)).reshape(shape)

    return run


@kernel("GatherElements")
def gather_elements(node):
    axis = node.attribute("axis", 0)
    return lambda x, indices: torch.gather(x, axis, indices.long())


@kernel("ScatterElements")
def scatter_elements(node):
    if node.attribute("reduction") != "add":
        raise Unsupported(f"ScatterElements {node.name}: only the reduction add is known")
    axis = node.attribute("axis", 0)
    return lambda x, indices, updates: x.scatter_add(axis, indices.long(), updates)


@kernel("Softmax")
def softmax(node):
    axis = node.attribute("axis", -1)
    return lambda x: torch.softmax(x, axis)


def reduction(function):
    def make(node):
        keep = node.attribute("keepdims", 1) == 1
        axes = node.numbers(1) if node.has(1) else node.attribute("axes")
        node.only(0)
        if axes is None:
            return lambda x: function(x, tuple(range(x.dim())), keep)
        return lambda x: function(x, tuple(axes), keep)

    return make


KERNELS["ReduceSum"] = reduction(lambda x, axes, keep: torch.sum(x, axes, keep))
KERNELS["ReduceMean"] = reduction(lambda x, axes, keep: torch.mean(x, axes, keep))
KERNELS["ReduceMax"] = reduction(lambda x, axes, keep: torch.amax(x, axes, keep))
KERNELS["ReduceMin"] = reduction(lambda x, axes, keep: torch.amin(x, axes, keep))


@kernel("Gemm")
def gemm(node):
    first = node.attribute("transA", 0) == 1
    second = node.attribute("transB", 0) == 1
    alpha, beta = node.attribute("alpha", 1.0), node.attribute("beta", 1.0)

    def run(a, b, c=None):
        a = a.t() if first else a
        b = b.t() if second else b
        if c is not None:
            return torch.addmm(c, a, b, beta=beta, alpha=alpha)
        product = torch.mm(a, b)
        return product if alpha == 1 else product * alpha

    return run


@kernel("Conv")
def convolution(node):
    top, left, bottom, right = node.attribute("pads", [0, 0, 0, 0])
    strides = node.attribute("strides", [1, 1])
    dilations = node.attribute("dilations", [1, 1])
    groups = node.attribute("group", 1)
    even = top == bottom and left == right

    def run(x, filters, bias=None):
        if even:
            return F.conv2d(x, filters, bias, strides, (top, left), dilations, groups)
        return F.conv2d(F.pad(x, (left, right, top, bottom)), filters, bias, strides, 0, dilations, groups)

    return run


@kernel("BatchNormalization")
def batch_normalisation(node):
    epsilon = node.attribute("epsilon", 1e-5)
    return lambda x, scale, offset, mean, variance: F.batch_norm(
        x, mean, variance, scale, offset, False, 0.0, epsilon
    )


@kernel("Size")
def size(node):
    return lambda x: x.numel()


class Failed(Exception):
    """An operator could not be computed."""

    def __init__(self, step, error):
        place = f" of layer {step.layer}" if step.layer else ""
        super().__init__(f"{step.operator} {step.name}{place}: {first_line(error)}")
        self.memory = is_out_of_memory(error)


class Step:
    """A node that is ready to be computed: registers are numbers of values."""

    __slots__ = ("operator", "name", "layer", "run", "inputs", "outputs", "free")

    def __init__(self, node, run, inputs, outputs):
        self.operator, self.name, self.layer = node.operator, node.name, node.layer
        self.run, self.inputs, self.outputs = run, inputs, outputs
        self.free = ()


class Program:
    """A graph as a list of steps over registers.

    A register is emptied after its last use, so the memory of a value is free for the next ones.
    """

    def __init__(self, graph, constants, device, outer=None):
        self.device = device
        self._outer = outer
        self._registers = {}
        self.captured = []
        """Of the body of a loop: registers of the graph around it, and its own for the same values."""
        self.inputs = [self._new(name) for name in graph["inputs"]]
        self._constants = {**({} if outer is None else outer._constants), **constants}
        own = [(self._new(name), value) for name, value in constants.items()]
        self.steps = [self._step(data) for data in graph["nodes"]]
        self.outputs = [self._register(name) for name in graph["outputs"]]
        self.names = graph["outputs"]
        self._template = [None] * len(self._registers)
        for register, value in own:
            self._template[register] = value
        kept = {register for register, _ in own}
        self._plan_memory(kept)

    def _new(self, name):
        return self._registers.setdefault(name, len(self._registers))

    def _register(self, name):
        register = self._registers.get(name)
        if register is not None:
            return register
        if self._outer is None:
            raise Unsupported(f"no node computes {name}")
        # Before the own register is made: the outer graph may not know the name either.
        outside = self._outer._register(name)
        register = self._new(name)
        self.captured.append((outside, register))
        return register

    def _step(self, data):
        node = Node(data, self._constants)
        node.device = self.device
        if node.operator == "Loop":
            return self._loop(node)
        make = KERNELS.get(node.operator)
        if make is None:
            raise Unsupported(f"the engine torch does not know the operator {node.operator} ({node.name})")
        run = make(node)
        inputs = tuple(self._register(name) for name in node.tensors)
        return Step(node, run, inputs, tuple(self._new(name) for name in node.outputs))

    def _loop(self, node):
        """`Loop` with a known number of rounds: carried values, then outputs of each round, stacked."""
        graph = node.attributes["body"]
        body = Program(graph, graph["constants"], self.device, self)
        carried = len(node.inputs) - 2
        outside = [register for register, _ in body.captured]
        inputs = (self._register(node.inputs[0]), *(self._register(name) for name in node.inputs[2:]), *outside)

        def run(count, *values):
            state = list(values[:carried])
            captured = values[carried:]
            stacked = []
            values = None
            for number in range(int(count)):
                results = body.run([number, True, *state], captured)
                state = results[1:1 + carried]
                stacked.append(results[1 + carried:])
            return [*state, *(torch.stack(column) for column in zip(*stacked))]

        return Step(node, run, inputs, tuple(self._new(name) for name in node.outputs))

    def _plan_memory(self, kept):
        needed = set(self.outputs) | kept
        for step in reversed(self.steps):
            last = {register for register in (*step.inputs, *step.outputs) if register not in needed}
            step.free = tuple(last)
            needed |= last

    def run(self, inputs, captured=()):
        """The outputs, in their order."""
        registers = self._template.copy()
        for register, value in zip(self.inputs, inputs):
            registers[register] = value
        for (_, register), value in zip(self.captured, captured):
            registers[register] = value
        for step in self.steps:
            try:
                result = step.run(*[registers[register] for register in step.inputs])
            except Failed:
                raise
            except Exception as error:
                raise Failed(step, error) from error
            if len(step.outputs) == 1 and not isinstance(result, list):
                registers[step.outputs[0]] = result
            else:
                for register, value in zip(step.outputs, result):
                    registers[register] = value
            for register in step.free:
                registers[register] = None
        return [registers[register] for register in self.outputs]


class Session:
    """A program, and the values that it keeps on the device from call to call."""

    def __init__(self, header, payload, device):
        constants = tensors_of(header["constants"], payload, device)
        graph = header["graph"]
        read_bodies(graph, payload, device)
        self._program = Program(graph, constants, device)
        self._device = device
        # By the name of the input: the value now. The output of the same place replaces it after each call.
        self._carried = tensors_of(header["state"], payload, device)
        self._next = header["next"]
        self._inputs = graph["inputs"]

    def run(self, header, payload):
        given = tensors_of(header["inputs"], payload, self._device)
        values = [given[name] if name in given else self._carried[name] for name in self._inputs]
        results = dict(zip(self._program.names, self._program.run(values)))
        values = None
        for name, after in self._next.items():
            self._carried[name] = results[after]
        return [results[name] for name in header["outputs"]]

    def read(self, names):
        return [self._carried[name] for name in names]


def read_bodies(graph, payload, device):
    """Replaces the descriptions of the constants in bodies of loops by tensors."""
    for node in graph["nodes"]:
        for attribute in node["attributes"].values():
            if isinstance(attribute, dict):
                attribute["constants"] = tensors_of(attribute["constants"], payload, device)
                read_bodies(attribute, payload, device)


def tensors_of(described, payload, device):
    """Tensors over parts of the payload, on the device."""
    tensors = {}
    for name, (kind, shape, offset) in described.items():
        count = 1
        for dimension in shape:
            count *= dimension
        dtype = TYPES[kind]
        if count == 0:
            tensors[name] = torch.empty(shape, dtype=dtype, device=device)
            continue
        flat = torch.frombuffer(payload, dtype=dtype, count=count, offset=offset)
        # On the CPU the payload itself is the tensor's memory, and lives as long as it.
        tensors[name] = flat.reshape(shape).to(device)
    return tensors


def bytes_of(tensor):
    """The numbers of a tensor as bytes; `keep` must live until they have been written."""
    keep = tensor.detach().to("cpu", torch.float32).contiguous()
    size = keep.numel() * keep.element_size()
    return keep, (ctypes.c_char * size).from_address(keep.data_ptr()) if size > 0 else b""


def first_line(error):
    return (str(error) or type(error).__name__).split("\n")[0]


def is_out_of_memory(error):
    return isinstance(error, MemoryError) or "out of memory" in str(error) or "can't allocate memory" in str(error)


def nvidia_driver():
    """The version of NVIDIA's driver, where Linux tells it."""
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
            return file.readline().split("  ")[1].strip()
    except (OSError, IndexError):
        return None


def has_mps():
    return hasattr(torch.backends, "mps") and torch.backends.mps.is_available()


def has_xpu():
    return hasattr(torch, "xpu") and torch.xpu.is_available()


def devices_seen():
    """The GPUs that this PyTorch can use: the name of the model by that of the device."""
    seen = {}
    if torch.cuda.is_available():
        seen["cuda"] = torch.cuda.get_device_properties(0).name
    if has_mps():
        seen["mps"] = "a GPU of Apple"
    if has_xpu():
        seen["xpu"] = torch.xpu.get_device_name(0)
    return seen


def open_device(name, threads):
    """The device, and facts about it; refuses what this PyTorch cannot use."""
    version = tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in torch.__version__.split(".")[:2])
    if version < OLDEST:
        refuse("old", f"PyTorch {torch.__version__}")
    torch.set_grad_enabled(False)
    torch.set_num_threads(threads)
    # The same request gives the same bits, if this build has deterministic kernels for all that is asked.
    torch.use_deterministic_algorithms(True, warn_only=True)
    if hasattr(torch.utils, "deterministic"):
        # Every new tensor would first be filled with NaN.
        torch.utils.deterministic.fill_uninitialized_memory = False
    facts = {"torch": torch.__version__, "python": sys.version.split()[0], "device": name}
    if name == "cuda":
        if not torch.cuda.is_available():
            built = torch.version.cuda
            why = "this PyTorch was built without CUDA or ROCm" if built is None else "it sees no GPU"
            refuse("device", f"PyTorch {torch.__version__}: {why}")
        # Products of float32 are computed in float32.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = False
        properties = torch.cuda.get_device_properties(0)
        facts["device"] = properties.name
        facts["memory"] = properties.total_memory
        for name_of, value in (
            ("cuda", torch.version.cuda),
            ("rocm", getattr(torch.version, "hip", None)),
            ("cudnn", torch.backends.cudnn.version()),
            ("driver", nvidia_driver()),
        ):
            if value is not None:
                facts[name_of] = value
    elif name == "mps":
        if not has_mps():
            refuse("device", f"PyTorch {torch.__version__} sees no GPU of Apple")
    elif name == "xpu":
        if not has_xpu():
            refuse("device", f"PyTorch {torch.__version__} sees no GPU of Intel")
    device = torch.device(name)
    # Opening the device's context can fail, and takes seconds.
    torch.zeros(1, device=device).cpu()
    return device, facts


def respond(sessions, device, header, payload):
    """Does what a request asks for; returns tensors for its response."""
    action, number = header["do"], header["session"]
    if action == "open":
        sessions[number] = Session(header, payload, device)
        return []
    if action == "close":
        del sessions[number]
        return []
    if action == "run":
        return sessions[number].run(header, payload)
    if action == "read":
        return sessions[number].read(header["names"])
    raise Unsupported(f"the request {action} is not known")


def main():
    # With "list" the CPU computes, and the GPUs are named.
    lists = sys.argv[1] == "list"
    try:
        device, facts = open_device("cpu" if lists else sys.argv[1], int(sys.argv[2]))
        devices = devices_seen() if lists else {}
    except Exception as error:
        refuse("device", first_line(error))
    if lists:
        for name, version in (("cuda", torch.version.cuda), ("rocm", getattr(torch.version, "hip", None))):
            if version is not None:
                facts[name] = version
    write_frame({"ready": facts, "devices": devices})
    frames = queue.Queue(WAITING)
    threading.Thread(target=read_frames, args=(frames,), daemon=True).start()
    sessions = {}
    while True:
        header, payload = frames.get()
        try:
            results = respond(sessions, device, header, payload)
            written = [bytes_of(result) for result in results]
            write_frame({"shapes": [list(result.shape) for result in results]}, [data for _, data in written])
        except BrokenPipeError:
            os._exit(0)
        except Exception as error:
            memory = error.memory if isinstance(error, Failed) else is_out_of_memory(error)
            kind = "memory" if memory else "unsupported" if isinstance(error, Unsupported) else "failed"
            write_frame({"error": first_line(error), "kind": kind})
        # Memory of this request is not held while the next one is awaited.
        header = payload = results = written = None


main()
