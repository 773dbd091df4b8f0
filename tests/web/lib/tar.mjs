// A tar archive for tests, as POSIX has it.

/** @param {[name: string, content: string | Buffer][]} files @returns {Buffer} */
export function tarred(files) {
  /** @type {Buffer[]} */
  const parts = [];
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(bytes.length.toString(8).padStart(11, '0'), 124);
    header.fill(' ', 148, 156);
    header.write('0', 156);
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148, 'latin1');
    parts.push(header, bytes, Buffer.alloc(-bytes.length & 511));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}
