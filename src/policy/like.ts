/** True for a text that matches a pattern in which `*` is any sequence of characters. Takes linear time. */
export function isLike(text: string, form: string): boolean {
  const [first = '', ...rest] = form.split('*')
  const last = rest.pop()
  if (last === undefined) return text === form
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  const end = text.length - last.length
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
