const bare = /^[A-Za-z](?:[\w ./@+-]|:(?=[\w/]))*$/

/** What some reader of YAML takes for something else than text. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Whatever does not show, and could hide something from who reads the file. */
function invisibleIn(text: string): RegExp | undefined {
  // Most texts; the tables of Unicode take longer to make than a manifest to check.
  if (!/[^ -~]/.test(text)) return undefined
  return /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}/gu
}

/** A text as one YAML scalar that reads back as that very text: as it is where that is safe, else in quotes. */
export function yamlText(text: string): string {
  if (bare.test(text) && !text.endsWith(' ') && !reserved.test(text)) return text
  // What JSON escapes itself is ASCII by then.
  const quoted = JSON.stringify(text)
  const invisible = invisibleIn(quoted)
  return invisible === undefined ? quoted : quoted.replaceAll(invisible, escaped)
}

/** True for one line in which every character shows. */
export function showsAll(text: string): boolean {
  const invisible = invisibleIn(text)
  return invisible === undefined || text.search(invisible) === -1
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
