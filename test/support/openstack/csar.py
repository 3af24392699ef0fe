"""Packs a VNF package: csar.py FOLDER TYPES FILE. Types of SOL001 are added, and the digest of the one manifest."""

import hashlib
import pathlib
import sys
import zipfile

folder, types, file = map(pathlib.Path, sys.argv[1:])
digest = hashlib.sha256((folder / "Files/kubernetes/echo.yaml").read_bytes()).hexdigest()
with zipfile.ZipFile(file, "w") as packed:
    for each in sorted(path for path in folder.rglob("*") if path.is_file()):
        packed.writestr(str(each.relative_to(folder)), each.read_text().replace("@HASH@", digest))
    for each in types.glob("etsi_nfv_sol001_*_types.yaml"):
        packed.write(each, f"Definitions/{each.name}")
