const bare = /^[A-Za-z](?:[\w ./@+-]|:(?=[\w/]))*$/

/** A number with a unit, which no YAML parser reads as a number. */
const quantity = /^\d+[KMGTP]i?$/

/** Plain text that some YAML parsers read as another type. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Finds invisible characters, which could hide content from a reader. */
function matchInvisible(text: string): RegExp | undefined {
  // Fast path for most texts: loading the Unicode tables takes longer than checking a manifest.
  if (!/[^ -~]/.test(text)) return undefined
  return /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}/gu
}

/** Formats a text as a YAML scalar that parses to the same text: plain if that is safe, otherwise in quotes. */
export function formatYamlText(text: string): string {
  if (bare.test(text) && !text.endsWith(' ') && !reserved.test(text)) return text
  if (quantity.test(text)) return text
  // Characters that JSON escapes are ASCII by now.
  const quoted = JSON.stringify(text)
  const invisible = matchInvisible(quoted)
  return invisible === undefined ? quoted : quoted.replaceAll(invisible, escapeUnits)
}

/** True for a single line of visible characters. */
export function isVisible(text: string): boolean {
  const invisible = matchInvisible(text)
  return invisible === undefined || text.search(invisible) === -1
}

/** Escapes each UTF-16 unit of a text, as JSON does. */
export function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** Formats a comment of a section of a manifest, within 80 columns. */
export function formatYamlComment(text: string): string {
  const [first, ...others] = text.split(' ')
  const lines = [`  # ${first}`]
  for (const word of others) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= 80) lines[lines.length - 1] = longer
    else lines.push(`  # ${word}`)
  }
  return `${lines.join('\n')}\n`
}
