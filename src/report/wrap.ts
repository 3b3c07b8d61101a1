/** Wraps words into lines that fit indented on most terminals; a longer word gets a line of its own. */
export function wrapText(text: string, width = 96): readonly string[] {
  return text.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
    return lines
  }, [])
}
