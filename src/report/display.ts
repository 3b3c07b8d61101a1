/**
 * Characters that could move a cursor, colour, hide, reverse or break a line, or that look like a space or like nothing: none
 * leaves this tool raw. Nor does the
 * mark `##name[`, which the runners of GitHub, Azure and TeamCity obey wherever it stands in a line.
 */
function withoutUnsafe(text: string, escaped: (character: string) => string): string {
  // Most texts, with a mark of ours; the tables of Unicode take longer to make than a manifest to check.
  if (!/[^ -~\u2026]|##/.test(text)) return text
  return text.replaceAll(
    /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=#)#(?=\w*\[)/gu,
    escaped,
  )
}

/**
 * Text from a manifest or from the service, made safe to print: control, direction and invisible characters become
 * escapes, and what is very long is cut.
 */
export function display(text: string, mostCharacters = 2000): string {
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
  return withoutUnsafe(cut, character => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
  })
}

/** The same for the text of a JSON document, in escapes of JSON: its value does not change, nor do its line breaks. */
export function displayJson(json: string): string {
  return withoutUnsafe(json, character =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  )
}

function unit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
}

/** The same for a line of source text, in which tabs are common and harmless. */
export function displayLine(text: string): string {
  return text
    .split('\t')
    .map(piece => display(piece))
    .join('  ')
}
