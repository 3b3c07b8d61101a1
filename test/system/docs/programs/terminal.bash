# What a terminal keeps between two commands: exported variables and the working folder. Sourced before each.
[ -f "$TERMINAL/.kept" ] && . "$TERMINAL/.kept"
trap '{ declare -px; printf "cd %q\n" "$PWD"; } >"$TERMINAL/.kept"' EXIT
. "$1"
