/** What fits beside an indentation on most terminals. */
const width = 96

/** Words in lines that fit on a terminal; a longer word has a line of its own. */
export function wrapped(text: string): readonly string[] {
  return text.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
    return lines
  }, [])
}
