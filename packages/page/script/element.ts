/** Returns the element with an id, which is of the given class. Throws for an id that the page does not have. */
export function byId(id: string): HTMLElement
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E
export function byId(id: string, kind = HTMLElement): HTMLElement {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${kind.name} #${id}`)
}

/** A new element. Texts become text and never markup, whoever wrote them. */
export function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** A new mark for eyes only: its meaning is also written beside it. */
export function markElement(text = ''): HTMLSpanElement {
  const mark = element('span', 'mark', text)
  mark.ariaHidden = 'true'
  return mark
}

/** Changes a text only when it differs, so that nothing is read out twice. */
export function say(where: Element, text: string): void {
  if (where.textContent !== text) where.textContent = text
}
