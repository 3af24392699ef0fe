# Takes an archive that was brought here, if it is the one that is meant. $1: its place, $2: its SHA-256 in hex, $3: `look`
# or `take`. Says `path=` and, once it is there, `there=yes`.
path=$1
case $path in '~/'*) path=$HOME/${path#'~/'} ;; esac
is_right() { [ -r "$1" ] && [ "$(sha256sum < "$1" | cut -d ' ' -f 1)" = "$2" ]; }
mkdir -p -- "$(dirname -- "$path")" || exit 1
if [ "$3" = take ]; then
  if is_right "$path.partial" "$2"; then mv -f -- "$path.partial" "$path"; else rm -f -- "$path.partial"; fi
fi
echo "path=$path"
if is_right "$path" "$2"; then echo there=yes; fi
