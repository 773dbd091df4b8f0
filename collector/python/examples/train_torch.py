"""An ordinary PyTorch training script without Stepscope calls.

Record it with `stepscope record --python-hooks -- python train_torch.py`.
"""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    """Noisy samples of ten patterns, with the pattern as label."""

    def __init__(self, samples):
        generator = torch.Generator().manual_seed(1)
        self.patterns = torch.randn(10, 64, generator=generator)
        self.labels = torch.randint(0, 10, (samples,), generator=generator)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        label = self.labels[index]
        return self.patterns[label] + torch.randn(64), label


class Net(nn.Module):
    """Two layers."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))

    def forward(self, images):
        return self.layers(images)


def accuracy(model, loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for images, labels in loader:
            right += (model(images).argmax(1) == labels).sum().item()
    model.train()
    return right / len(loader.dataset)


def main(workers=2):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    train = DataLoader(Digits(320), batch_size=32, shuffle=True, num_workers=workers)
    test = DataLoader(Digits(64), batch_size=32)
    model, loss_of = Net(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for images, labels in train:
            loss = loss_of(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}, {accuracy(model, test):.0%} right")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
