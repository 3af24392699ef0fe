# Says which artifacts lie in the folder $1, one `name=value` a line. Changes nothing.
[ -r "$1/SHA256SUMS" ] || exit 0
printf 'sums=%s\n' "$(sha256sum < "$1/SHA256SUMS" | cut -d ' ' -f 1)"
printf 'kubernetes=%s\n' "$(sed -n 's/^ *"kubernetes": *"\([0-9.]*\)".*/\1/p' "$1/index.json" | head -n 1)"
echo end=yes
