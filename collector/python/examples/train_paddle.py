"""An ordinary Paddle training script without Stepscope calls.

Record it with `stepscope record --python-hooks -- python train_paddle.py`.
"""

import sys

import numpy
import paddle
from paddle import nn
from paddle.io import DataLoader, Dataset


class Digits(Dataset):
    """Noisy samples of ten patterns, with the pattern as label."""

    def __init__(self, samples):
        random = numpy.random.RandomState(1)
        self.patterns = random.randn(10, 64).astype("float32")
        self.labels = random.randint(0, 10, samples)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        label = self.labels[index]
        return self.patterns[label] + numpy.random.randn(64).astype("float32"), label


class Net(nn.Layer):
    """Two layers."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))

    def forward(self, images):
        return self.layers(images)


def accuracy(model, loader):
    model.eval()
    right = 0
    with paddle.no_grad():
        for images, labels in loader:
            right += int((model(images).argmax(1) == labels).sum())
    model.train()
    return right / len(loader.dataset)


def main(workers=0):
    paddle.seed(0)
    train = DataLoader(Digits(320), batch_size=32, shuffle=True, num_workers=workers)
    test = DataLoader(Digits(64), batch_size=32)
    model, loss_of = Net(), nn.CrossEntropyLoss()
    optimizer = paddle.optimizer.Momentum(0.1, parameters=model.parameters())
    for epoch in range(2):
        for images, labels in train:
            loss = loss_of(model(images), labels)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        print(f"epoch {epoch}: loss {float(loss):.3f}, {accuracy(model, test):.0%} right")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
