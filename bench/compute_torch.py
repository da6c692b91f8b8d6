"""The nets of `bench compute` in PyTorch: reads `train` or `infer` lines, answers with the seconds each took."""

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

spec = json.loads(sys.argv[1])
torch.set_num_threads(spec["threads"])
batch = spec["batch"]


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
optimiser = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, weight_decay=1e-4)


def train():
    net.train()
    values, logits = net(x)
    loss = ((value - values) ** 2).sum(1).mean()
    if policy is not None:
        loss = loss - (policy * F.log_softmax(logits, 1)).sum(1).mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    loss.item()


def infer():
    net.eval()
    with torch.no_grad():
        net(x)


print(torch.__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    {"train": train, "infer": infer}[line.strip()]()
    print(time.perf_counter() - start, flush=True)
