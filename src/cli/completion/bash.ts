import { type CompletedCommand, firstWords, groupsOf, type Offer } from './model.js'

/** A completion script for bash, from 3.2 on, which needs nothing else. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = [...firstWords(commands), '--help', '--version']
  return `\
# Completion of landform for bash, made by \`landform completion bash\`.
_landform_words() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$current")
}
_landform_files() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
}
_landform() {
  local command=\${COMP_WORDS[1]} current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _landform_words '${names.join(' ')}'
    return
  fi
${[...groupsOf(commands)].map(groupWords).join('')}\
  # Bash takes --option=value apart.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join('')}\
  esac
  case "$command $current" in
${commands.map(({ name, ...one }) => `    '${name} -'*) _landform_words '${optionsOf(one)}' ;;\n`).join('')}\
${commands.flatMap(wordCase).join('')}\
  esac
}
complete -F _landform landform
`
}

function groupWords([first, seconds]: readonly [string, readonly string[]]): string {
  return `\
  if [[ $command == '${first}' ]]; then
    if ((COMP_CWORD == 2)); then
      _landform_words '${[...seconds, '--help'].join(' ')}'
      return
    fi
    command="$command \${COMP_WORDS[2]}"
  fi
`
}

function valueCases({ name, options }: CompletedCommand): readonly string[] {
  return options.flatMap(({ spellings, value }) =>
    value === undefined
      ? []
      : [`    ${spellings.map(one => `'${name} ${one}'`).join(' | ')}) ${offer(value)}return ;;\n`],
  )
}

function wordCase({ name, words }: CompletedCommand): readonly string[] {
  return words.kind === 'anything' ? [] : [`    '${name} '*) ${offer(words)};;\n`]
}

function optionsOf({ options }: Pick<CompletedCommand, 'options'>): string {
  return options.flatMap(({ spellings }) => spellings.filter(one => one.startsWith('--'))).join(' ')
}

function offer(what: Offer): string {
  switch (what.kind) {
    case 'words':
      return `_landform_words '${what.words.join(' ')}'; `
    case 'files':
      return '_landform_files; '
    case 'anything':
      return ''
    default:
      return what satisfies never
  }
}
