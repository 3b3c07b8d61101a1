/** Joins wrapped lines, whose breaks depend on numbers that differ from run to run. */
export function joinLines(text: string): string {
  return text.replaceAll(/\n {2,}/g, ' ').replaceAll(/ {2,}/g, ' ')
}
