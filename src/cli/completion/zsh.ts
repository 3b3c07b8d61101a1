import type { CompletedCommand, CompletedOption, Offer } from './model.js'

/** A completion script for zsh: to be sourced, or kept as `_landform` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `\
#compdef landform
# Completion of landform for zsh, made by \`landform completion zsh\`.
_landform() {
  if ((CURRENT == 2)); then
    local -a commands
    commands=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}\n`).join('')}\
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
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

function branch({ name, options, words }: CompletedCommand): string {
  const specs = [
    ...options.map(optionSpec),
    ...(words.kind === 'anything'
      ? []
      : [quoted(`*:${words.kind === 'files' ? 'file' : 'word'}:${action(words)}`)]),
  ]
  return `    ${name})\n      _arguments -s \\\n${specs.map(spec => `        ${spec}`).join(' \\\n')}\n      ;;\n`
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
