/** Packs made data with other people's programs: bzip2, and python3 for what has no program everywhere. */

import { spawnSync } from 'node:child_process';

/** With the system's bzip2, else python3's. */
export function bzip2(data: Uint8Array, level = '-9'): Buffer {
  const done = spawnSync('bzip2', ['-c', level], { input: data, maxBuffer: 2 ** 30 });
  if (done.error === undefined && done.status === 0) return done.stdout;
  return python(`import bz2; write(bz2.compress(data, ${level.slice(1)}))`, data);
}

/** `method`: 'STORED', 'DEFLATED' or 'LZMA'; `streamed` leaves lengths and checksum to a record behind the data. */
export function zip(entries: Readonly<Record<string, Uint8Array>>, method: string, streamed = false): Buffer {
  const listed = Object.entries(entries).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const script = `
import json, base64, zipfile
class Pipe(io.RawIOBase):
    def __init__(self): self.bytes = bytearray()
    def writable(self): return True
    def write(self, part): self.bytes += part; return len(part)
target = Pipe() if ${streamed ? 'True' : 'False'} else io.BytesIO()
with zipfile.ZipFile(target, 'w', zipfile.ZIP_${method}) as archive:
    for name, text in json.loads(data): archive.writestr(name, base64.b64decode(text))
write(bytes(target.bytes) if ${streamed ? 'True' : 'False'} else target.getvalue())`;
  return python(script, Buffer.from(JSON.stringify(listed)));
}

export function tar(entries: Readonly<Record<string, Uint8Array>>): Buffer {
  const listed = Object.entries(entries).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const script = `
import json, base64, tarfile
target = io.BytesIO()
with tarfile.open(fileobj=target, mode='w') as archive:
    for name, text in json.loads(data):
        body = base64.b64decode(text); entry = tarfile.TarInfo(name); entry.size = len(body)
        archive.addfile(entry, io.BytesIO(body))
write(target.getvalue())`;
  return python(script, Buffer.from(JSON.stringify(listed)));
}

function python(script: string, input: Uint8Array): Buffer {
  const whole = `import sys, io\ndata = sys.stdin.buffer.read()\nwrite = sys.stdout.buffer.write\n${script}`;
  const done = spawnSync('python3', ['-c', whole], { input, maxBuffer: 2 ** 30 });
  if (done.status !== 0) throw new Error(done.stderr.toString());
  return done.stdout;
}

/** A small generator of its own, so that made data is the same everywhere. */
function sequence(seed: number): () => number {
  let state = seed + 0x9e3779b9;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function noise(length: number, seed: number): Buffer {
  const next = sequence(seed);
  return Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)));
}

/** Text that looks like a stream: repeating shapes with changing numbers. */
export function madeText(length: number, seed: number): Buffer {
  const next = sequence(seed);
  let text = '';
  while (text.length < length) {
    text += `{"op":"mcm","pt":${Math.floor(next() * 1e12)},"rc":[{"atb":[[${(next() * 9).toFixed(2)},0]]}]}\n`;
  }
  return Buffer.from(text.slice(0, length));
}
