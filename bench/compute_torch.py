"""The nets of `bench compute` in PyTorch.

The first argument is JSON. `{"probe": true}` prints PyTorch's version, its BLAS and the speed of a matrix product, and ends.
Otherwise it is a net with its batch, threads and layout, and maybe a device: reads lines `train`, `infer`, `infer-frozen`,
`train-compiled` or `infer-compiled`, and answers with the seconds of wall time that each took. With `{"peak": true, "device": ...}` it
prints the speed of a large matrix product there, in float32 without TF32, in GFLOP/s, and ends.
"""

import ctypes
import json
import re
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

spec = json.loads(sys.argv[1])


def mapped():
    """The files mapped into this process with their first and last addresses."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            fields = line.split()
            if len(fields) == 6 and fields[5].startswith("/"):
                first, last = (int(end, 16) for end in fields[0].split("-"))
                yield first, last, fields[5]


def blas():
    """The library of dense matrix products: its kind, and what it says about itself."""
    built = re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())
    if built and built.group(1) not in ("generic", "open", "flexi"):
        return {"kind": built.group(1), "name": built.group(1).upper()}
    # Several libraries may be loaded; what counts is whose product PyTorch calls.
    torch_path = next(path for _, _, path in mapped() if "libtorch_cpu" in path)
    address = ctypes.cast(ctypes.CDLL(torch_path).sgemm_, ctypes.c_void_p).value
    path = next(path for first, last, path in mapped() if first <= address < last)
    library = ctypes.CDLL(path)
    if hasattr(library, "openblas_get_config"):
        library.openblas_get_config.restype = ctypes.c_char_p
        library.openblas_get_corename.restype = ctypes.c_char_p
        version = " ".join(library.openblas_get_config().decode().split()[:2])
        return {"kind": "openblas", "name": version, "kernels": library.openblas_get_corename().decode()}
    if hasattr(library, "bli_info_get_version_str"):
        return {"kind": "blis", "name": "BLIS"}
    if hasattr(library, "ATL_buildinfo"):
        return {"kind": "atlas", "name": "ATLAS"}
    return {"kind": "reference", "name": path}


def product_speed():
    """GFLOP per second of processor time in products of the size of a dense policy head, the median of five."""
    a, b = torch.rand(64, 800), torch.rand(800, 8192)
    torch.mm(a, b)
    seconds = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(3):
            torch.mm(a, b)
        seconds.append(time.process_time() - start)
    return 3 * 2 * 64 * 800 * 8192 / sorted(seconds)[2] / 1e9


if spec.get("probe"):
    torch.set_num_threads(1)
    print(json.dumps({"version": torch.__version__, "blas": blas(), "speed": product_speed()}))
    sys.exit()

device = torch.device(spec.get("device", "cpu"))
# As the engine torch computes: products and convolutions of float32 in float32.
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


def finish():
    """Waits for what the device was asked to do."""
    if device.type == "cuda":
        torch.cuda.synchronize()
    elif device.type in ("mps", "xpu"):
        getattr(torch, device.type).synchronize()


if spec.get("peak"):
    size = 4096 if device.type != "cpu" else 1024
    a, b = torch.rand(size, size, device=device), torch.rand(size, size, device=device)
    seconds = []
    for _ in range(6):
        finish()
        start = time.perf_counter()
        for _ in range(5):
            torch.mm(a, b)
        finish()
        seconds.append((time.perf_counter() - start) / 5)
    print(2 * size**3 / min(seconds) / 1e9)
    sys.exit()

torch.set_num_threads(spec["threads"])
batch = spec["batch"]
layout = {"channels_last": torch.channels_last, "channels_first": torch.contiguous_format}[spec["layout"]]


def normalised(inputs, outputs, size):
    conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs))


class Block(nn.Module):
    def __init__(self, filters):
        super().__init__()
        self.first = normalised(filters, filters, 3)
        self.second = normalised(filters, filters, 3)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.first(x))))


class Residual(nn.Module):
    def __init__(self, filters, blocks):
        super().__init__()
        tower = [Block(filters) for _ in range(blocks)]
        self.tower = nn.Sequential(normalised(33, filters, 3), nn.ReLU(), *tower)
        self.policy = nn.Sequential(normalised(filters, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(800, 30433))
        self.value = nn.Sequential(
            normalised(filters, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(1600, 256), nn.ReLU(), nn.Linear(256, 4), nn.Tanh()
        )

    def forward(self, x):
        features = self.tower(x)
        return self.value(features), self.policy(features)


class Cnn22(nn.Module):
    def __init__(self, filters, units):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(18, filters[0], 2), nn.ReLU(), nn.Conv2d(filters[0], filters[1], 2), nn.ReLU(), nn.Flatten(),
            nn.Linear(4 * filters[1], units[0]), nn.ReLU(), nn.Linear(units[0], units[1]), nn.ReLU(), nn.Linear(units[1], 1),
        )

    def forward(self, x):
        return self.layers(x), None


if spec["net"] == "residual":
    net = Residual(spec["filters"], spec["blocks"])
    x = torch.randint(0, 2, (batch, 33, 20, 20)).float()
    value = torch.rand(batch, 4) * 2 - 1
    policy = torch.full((batch, 30433), 1 / 30433)
else:
    net = Cnn22(spec["filters"], spec["units"])
    x = torch.randint(0, 2, (batch, 18, 4, 4)).float()
    value = torch.rand(batch, 1) * 2 - 1
    policy = None
net = net.to(device=device, memory_format=layout)
x = x.to(device=device, memory_format=layout)
value = value.to(device)
policy = None if policy is None else policy.to(device)
optimiser = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, weight_decay=1e-4)


def train(forward=None):
    net.train()
    values, logits = (forward or net)(x)
    loss = ((value - values) ** 2).sum(1).mean()
    if policy is not None:
        loss = loss - (policy * F.log_softmax(logits, 1)).sum(1).mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    loss.item()


def infer(forward=None):
    net.eval()
    with torch.no_grad():
        (forward or net)(x)


compiled = None


def compile_net():
    """The net by `torch.compile`, which PyTorch has from 2.0 on."""
    global compiled
    if compiled is None:
        compiled = torch.compile(net)
    return compiled


class Outputs(nn.Module):
    """The outputs that a net has, as the tracer wants them."""

    def __init__(self):
        super().__init__()
        self.net = net

    def forward(self, x):
        return tuple(output for output in self.net(x) if output is not None)


frozen = None


def infer_frozen():
    """As `infer`, by a graph in which weights are constants and normalisation is part of the convolutions."""
    global frozen
    with torch.no_grad():
        if frozen is None:
            net.eval()
            frozen = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(Outputs().eval(), x)))
        frozen(x)


print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    tasks = {
        "train": train,
        "infer": infer,
        "infer-frozen": infer_frozen,
        "train-compiled": lambda: train(compile_net()),
        "infer-compiled": lambda: infer(compile_net()),
    }
    tasks[line.strip()]()
    finish()
    print(time.perf_counter() - start, flush=True)
