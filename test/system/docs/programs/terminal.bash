# What a terminal keeps between two commands: exported variables and the working folder. Sourced before each.
[ -f "$TERMINAL/.kept" ] && . "$TERMINAL/.kept"
cd "$(cat "$TERMINAL/.folder")"
trap 'declare -px >"$TERMINAL/.kept"; pwd >"$TERMINAL/.folder"' EXIT
. "$1"
