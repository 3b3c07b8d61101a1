# What a terminal keeps between two commands: exported variables and the working folder. Sourced before each.
[ -f "$TERMINAL/.kept" ] && . "$TERMINAL/.kept"
trap '{ declare -px; printf "cd %q\n" "$PWD"; } >"$TERMINAL/.kept"' EXIT

# An emulator of its own for a page, whose address is $SITE: `<!-- prepare: site [options of landform emulate] -->`.
site() {
  rm -f "$TERMINAL/.site"
  landform emulate --stage-time 20ms "$@" >"$TERMINAL/.site" 2>/dev/null &
  until [ -s "$TERMINAL/.site" ]; do sleep 0.05; done
  SITE=$(head -n 1 "$TERMINAL/.site")
  export SITE
}

# A valid manifest beside a license, for that emulator if there is one: `<!-- prepare: manifest [FILE] [options of landform init] -->`.
manifest() {
  local file=${1:-site.yaml} url=${SITE:-https://gis.example.org/arcgis/admin} made="$XDG_CACHE_HOME/site.yaml"
  mkdir -p "$(dirname "$file")/licenses" "$XDG_CACHE_HOME"
  echo '{}' >"$(dirname "$file")/licenses/site.json"
  # Made once for all readers of a build, and only addressed anew.
  if [ $# -gt 1 ] || [ ! "$made" -nt "$PROJECT/dist/bin/main.cjs" ]; then
    landform init "$file" --name production --url "$url" --email admin@example.org --yes --quiet --force "${@:2}"
    [ $# -gt 1 ] || { cp "$file" "$made.$$" && mv "$made.$$" "$made"; }
  fi
  # Most pages have no repository: an emulator keeps its state beside the manifest.
  [ $# -gt 1 ] || sed "s|^    url: .*|    url: $url|; s|^  state: |  #state: |" "$made" >"$file"
}

# A database of its own for a page, by $LANDFORM_DATABASE_URL: `<!-- prepare: database -->`.
database() {
  node "$PROJECT/test/system/docs/programs/database.mjs" >"$TERMINAL/.database" &
  until [ -s "$TERMINAL/.database" ]; do sleep 0.05; done
  LANDFORM_DATABASE_URL=$(head -n 1 "$TERMINAL/.database")
  export LANDFORM_DATABASE_URL
}

# Secrets that the emulator takes.
secrets() { export LANDFORM_ADMIN_PASSWORD=Rehearsal1 LANDFORM_SECURITY_ANSWER=gardener; }

. "$1"
