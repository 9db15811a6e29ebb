"""Decodes CBOR (RFC 8949) as WebAuthn authenticators write it: CTAP2's canonical form, in which all lengths are definite."""


def decode(data):
    """Returns the first value in `data`, and the remaining bytes. Raises ValueError for anything but CTAP2's canonical form."""
    reader = Reader(data)
    return reader.value(depth=4), reader.data[reader.place :]


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        part = self.data[self.place : self.place + count]
        if len(part) < count:
            raise ValueError("the value is cut off")
        self.place += count
        return part

    def argument(self, short):
        if short < 24:
            return short
        if short > 27:
            raise ValueError("a length is not definite")
        size = 1 << short - 24
        number = int.from_bytes(self.take(size), "big")
        if number < (24 if size == 1 else 1 << 4 * size):
            raise ValueError("a number has more bytes than it needs")
        return number

    def value(self, depth):
        major, short = divmod(self.take(1)[0], 32)
        if major == 7:
            if short not in (20, 21, 22):
                raise ValueError("the value is of no known kind")
            return {20: False, 21: True, 22: None}[short]
        number = self.argument(short)
        if major == 0:
            return number
        if major == 1:
            return -1 - number
        if major == 2:
            return self.take(number)
        if major == 3:
            return self.take(number).decode()
        if major == 6 or depth == 0:
            raise ValueError("the value has a tag or is too deep")
        if major == 4:
            return [self.value(depth - 1) for _ in range(number)]
        return self.map(number, depth - 1)

    def map(self, count, depth):
        members = {}
        for _ in range(count):
            key = self.value(0)
            if key in members:
                raise ValueError("a key is there twice")
            members[key] = self.value(depth)
        return members
