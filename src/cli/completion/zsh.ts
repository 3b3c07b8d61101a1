import { type CompletedCommand, type CompletedOption, firstWords, groupsOf, type Offer } from './model.js'

/** A completion script for zsh: to be sourced, or kept as `_landform` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `\
#compdef landform
# Completion of landform for zsh, made by \`landform completion zsh\`.
_landform() {
  if ((CURRENT == 2)); then
    local -a commands
    commands=(
${firstWords(commands)
  .map(name => `      ${quoted(`${name}:${summaryOf(name, commands)}`)}\n`)
  .join('')}\
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
${[...groupsOf(commands)].map(groupWords).join('')}\
  case $command in
${commands.map(branch).join('')}\
  esac
}
if [[ $funcstack[1] == _landform ]]; then
  _landform "$@"
else
  compdef _landform landform
fi
`
}

/** Of a first word that has several commands, that of the first. */
function summaryOf(first: string, commands: readonly CompletedCommand[]): string {
  return commands.find(({ name }) => name.split(' ')[0] === first)?.summary ?? ''
}

function groupWords([first, seconds]: readonly [string, readonly string[]]): string {
  return `\
  if [[ $command == '${first}' ]]; then
    if ((CURRENT == 2)); then
      compadd -- ${[...seconds, '--help'].join(' ')}
      return
    fi
    command="$command $words[2]"
    shift words
    ((CURRENT--))
  fi
`
}

function branch({ name, options, words }: CompletedCommand): string {
  const specs = [
    ...options.map(optionSpec),
    ...(words.kind === 'anything'
      ? []
      : [quoted(`*:${words.kind === 'files' ? 'file' : 'word'}:${action(words)}`)]),
  ]
  return `    ${name.includes(' ') ? quoted(name) : name})\n      _arguments -s \\\n${specs.map(spec => `        ${spec}`).join(' \\\n')}\n      ;;\n`
}

/** Each spelling shuts out the others, unless the option may be given several times. */
function optionSpec({ spellings, describe, value, repeats }: CompletedOption): string {
  const rest = `[${escaped(describe)}]${value === undefined ? '' : `:value:${action(value)}`}`
  return spellings
    .map(one => {
      const others = repeats ? '*' : `(${spellings.join(' ')})`
      return quoted(`${others}${one}${value === undefined || !one.startsWith('--') ? '' : '='}${rest}`)
    })
    .join(' ')
}

function action(what: Offer): string {
  switch (what.kind) {
    case 'words':
      return `(${what.words.join(' ')})`
    case 'files':
      return '_files'
    case 'anything':
      return ' '
    default:
      return what satisfies never
  }
}

/** In a description these end something. */
function escaped(text: string): string {
  return text.replaceAll(/[\\\]:[]/g, '\\$&')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
