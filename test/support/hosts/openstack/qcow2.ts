/** An empty qcow2 image of 1 MB, another one for each number: Glance looks into what it is given. */
export function qcow2(number: number): Buffer {
  const cluster = 65_536;
  const image = Buffer.alloc(4 * cluster);
  image.write('QFI\xfb', 0, 'latin1');
  image.writeUInt32BE(3, 4);
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(BigInt(1024 * 1024 * number), 24);
  image.writeUInt32BE(1, 36);
  image.writeBigUInt64BE(BigInt(3 * cluster), 40);
  image.writeBigUInt64BE(BigInt(cluster), 48);
  image.writeUInt32BE(1, 56);
  image.writeUInt32BE(4, 96);
  image.writeUInt32BE(104, 100);
  image.writeBigUInt64BE(BigInt(2 * cluster), cluster);
  for (let at = 0; at < 4; at += 1) image.writeUInt16BE(1, 2 * cluster + 2 * at);
  return image;
}
