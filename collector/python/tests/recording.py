"""Reads raw recordings as collector/format describes them: the tests' own reader."""

import os
import struct

SPAN, MARK, COUNTER, ASYNC_BEGIN, ASYNC_END = 1, 2, 3, 4, 5
FLOW_START, FLOW_STEP, FLOW_END, THREAD, OPEN, ARGUMENT = 6, 7, 8, 10, 11, 12
STEP, DATALOADER, FORWARD, BACKWARD, OPTIMIZER = 1, 2, 3, 4, 5


class Record:
    """An event."""

    def __init__(self, words, names, thread):
        head, self.at, self.extent, self.value = words
        self.kind, self.category, self.aux = head & 0xFF, head >> 8 & 0xFF, head >> 16 & 0xFFFF
        self.name, self.thread = names.get(head >> 32, ""), thread
        self.end = self.at + self.extent if self.kind == SPAN else self.at
        if self.kind == COUNTER:
            self.value = struct.unpack("<d", struct.pack("<Q", self.value))[0]
        if self.kind == ARGUMENT:
            kind, packed = self.extent, struct.pack("<Q", self.value)
            self.value = {
                0: lambda: struct.unpack("<q", packed)[0],
                1: lambda: self.value,
                2: lambda: struct.unpack("<d", packed)[0],
                3: lambda: names.get(self.value, ""),
                4: lambda: bool(self.value),
            }[kind]()

    def __contains__(self, other):
        return self.at <= other.at and other.end <= self.end and self.thread == other.thread


def read(path):
    """The records of one process, as they stand in the file; the spans that are open at its end last."""
    with open(path, "rb") as file:
        data = file.read()
    segment_bytes = struct.unpack_from("<I", data, 12)[0]
    segments = []
    for begin in range(4096, len(data), segment_bytes):
        head = struct.unpack_from("<8s5Q", data, begin)
        if head[0] != b"\0" * 8:
            segments.append((head[1], begin, head))
    names, records, newest = {0: ""}, [], {}
    for _, begin, (tag, sequence, thread, opened, committed, _) in sorted(segments):
        if tag == b"stepnam1":
            at = begin + 128
            while at < begin + 128 + committed:
                number, length = struct.unpack_from("<II", data, at)
                names[number] = data[at + 8 : at + 8 + length].decode()
                at += 8 + (length + 7) // 8 * 8
    for _, begin, (tag, sequence, thread, opened, committed, _) in sorted(segments):
        if tag == b"stepseg1":
            owner = thread
            for index in range(committed):
                words = struct.unpack_from("<4Q", data, begin + 8192 + index * 32)
                if words[0] & 0xFF == THREAD:
                    owner = words[3]
                else:
                    records.append(Record(words, names, owner))
            newest[thread] = (begin, opened)
    for thread, (begin, opened) in newest.items():
        for index in range(opened):
            words = struct.unpack_from("<4Q", data, begin + 128 + index * 32)
            if words[0]:
                record = Record(words, names, thread)
                record.kind = OPEN
                records.append(record)
    return records


def read_folder(folder):
    """The records of each process of a folder, by the file's name."""
    files = sorted(name for name in os.listdir(folder) if name.endswith(".steprec"))
    return {name: read(os.path.join(folder, name)) for name in files}
