/** Names what is badly drawn on a screen: a table that was not drawn over shows a stage twice. */
export function listScreenErrors(screen: string, width: number): readonly string[] {
  const lines = screen.split('\n')
  const among = (pattern: RegExp) => lines.filter(line => pattern.test(line)).length
  return [
    ...(lines.every(line => line.length <= width) ? [] : ['a line is too wide']),
    ...(among(/^ {2}\S License validation/) > 1 ? ['two tables'] : []),
    ...(among(/^ {2}.*stages complete/) > 1 ? ['two sums'] : []),
  ]
}
