# What a terminal keeps between two commands: exported variables and the working folder. Sourced before each.
[ -f "$TERMINAL/.kept" ] && . "$TERMINAL/.kept"
trap '{ declare -px; printf "cd %q\n" "$PWD"; } >"$TERMINAL/.kept"' EXIT

# An emulator of its own for a page, whose address is $SITE: `<!-- prepare: site [options of landform emulate] -->`.
site() {
  landform emulate --stage-time 20ms "$@" >"$TERMINAL/.site" 2>/dev/null &
  until [ -s "$TERMINAL/.site" ]; do sleep 0.05; done
  SITE=$(head -n 1 "$TERMINAL/.site")
  export SITE
}

. "$1"
