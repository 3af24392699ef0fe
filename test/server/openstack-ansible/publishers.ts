import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files below a folder: path → text. */
export function filesIn(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Packages of Python, each empty, in an index that pip reads: name → version. */
export function pythonIndex(folder: string, packages: Readonly<Record<string, string>>): void {
  const wheel = `
import sys, zipfile
place, name, version = sys.argv[1:]
about = "%s-%s.dist-info/" % (name, version)
with zipfile.ZipFile("%s/%s-%s-py3-none-any.whl" % (place, name, version), "w") as wheel:
    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n" % (name, version))
    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(about + "RECORD", "")
`;
  for (const [name, version] of Object.entries(packages)) {
    const file = `${name}-${version}-py3-none-any.whl`;
    filesIn(folder, { [`${name}/index.html`]: `<a href="${file}">${file}</a>` });
    execFileSync('python3', ['-c', wheel, join(folder, name), name, version]);
  }
}

/** A crate in a sparse index, and a lock that wants it. */
export function crateIndex(folder: string, url: string): { readonly lock: string } {
  const cksum = createHash('sha256').update('a crate').digest('hex');
  filesIn(folder, {
    'config.json': JSON.stringify({ dl: `${url}/files` }),
    'sm/al/small': `${JSON.stringify({ name: 'small', vers: '1.0.0', deps: [], cksum, features: {}, yanked: false })}\n`,
    'files/small/1.0.0/download': 'a crate',
  });
  const source = 'registry+https://github.com/rust-lang/crates.io-index';
  return {
    lock: `version = 4\n\n[[package]]\nname = "small"\nversion = "1.0.0"\nsource = "${source}"\nchecksum = "${cksum}"\n`,
  };
}

/** An archive with one package, which is empty, and settings of an apt that knows nothing else. */
export function aptWith(folder: string, name: string): void {
  const control = `Package: ${name}\nVersion: 1.0\nArchitecture: all\nMaintainer: t <t@example.org>\nDescription: empty\n`;
  filesIn(folder, {
    [`${name}/DEBIAN/control`]: control,
    'sources.list': `deb [trusted=yes] file:${folder} ./\n`,
    status: '',
    'apt.conf': Object.entries({
      'Dir::Etc::SourceList': `${folder}/sources.list`,
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::State::lists': `${folder}/lists`,
      'Dir::State::status': `${folder}/status`,
      'Dir::Cache': folder,
      'APT::Sandbox::User': 'root',
    })
      .map(([key, value]) => `${key} "${value}";\n`)
      .join(''),
  });
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  const build = `chmod 755 "$1/DEBIAN"; dpkg-deb --build --root-owner-group "$1" "$1.deb" > /dev/null
{ dpkg-deb --field "$1.deb"; printf 'Filename: ./%s.deb\\nSize: %s\\nSHA256: %s\\n' "$1" "$(stat -c %s "$1.deb")" "$(sha256sum "$1.deb" | cut -d' ' -f1)"; } > Packages
APT_CONFIG=$PWD/apt.conf apt-get -qq update`;
  execFileSync('sh', ['-euc', build, 'sh', name], { cwd: folder });
}
