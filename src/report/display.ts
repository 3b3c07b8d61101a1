/**
 * Escapes characters that are invisible, or that could move a cursor, colour, hide, reverse or break a line, and
 * `##name[`, which the runners of GitHub, Azure and TeamCity obey anywhere in a line. Landform prints none of these
 * unescaped.
 */
function escapeUnsafe(text: string, escaped: (character: string) => string): string {
  // Most texts take this fast path: loading the Unicode tables takes longer than checking a manifest.
  if (!/[^ -~\u2026]|##/.test(text)) return text
  return text.replaceAll(
    /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=#)#(?=\w*\[)/gu,
    escaped,
  )
}

/**
 * Makes text from a manifest or from the service safe to print: control, direction and invisible characters become
 * escapes, and very long text is cut.
 */
export function display(text: string, maxCharacters = 2000): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
  return escapeUnsafe(cut, character => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
  })
}

/** Makes a JSON document safe to print, with JSON escapes: its value and its line breaks do not change. */
export function displayJson(json: string): string {
  return escapeUnsafe(json, character => {
    if (character === '\n') return character
    const units = character.split('')
    return units.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  })
}

/** Makes a line of source text safe to print. Tabs are common there and harmless: they become spaces. */
export function displayLine(text: string): string {
  return text
    .split('\t')
    .map(piece => display(piece))
    .join('  ')
}
