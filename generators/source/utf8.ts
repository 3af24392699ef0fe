/** A file as text, and what is wrong with it: UTF-16, or a package of a VNF as a whole. What is no UTF-8 has no text. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly wrong: string } {
  const text = textOf(bytes);
  if (text !== undefined && !text.includes('\0')) return { text, wrong: '' };
  const isArchive = archives.some((start) => start.every((byte, index) => bytes[index] === byte));
  const wrong = isArchive
    ? 'is an archive: unpack it, and name the files or the folder'
    : `is not UTF-8${lineOf(bytes)}: iconv, or an editor, can write it so`;
  return { text: text ?? '', wrong };
}

/** The first line with a byte that UTF-8 has not, of a file that has lines. */
function lineOf(bytes: Uint8Array): string {
  if (bytes.includes(0)) return '';
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const at = lines.findIndex((line) => textOf(Buffer.from(line, 'latin1')) === undefined);
  return at === -1 ? '' : ` in line ${at + 1}`;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How files of zip, gzip, xz and zstd begin. */
const archives = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x28, 0xb5, 0x2f, 0xfd],
];
