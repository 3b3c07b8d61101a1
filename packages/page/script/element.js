/** The element with an id, which the page has. */
export const byId = id => document.getElementById(id)

/** A new element. Texts become text and never markup, whoever wrote them. */
export function element(name, className, ...children) {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** Changes a text only when it differs, so that nothing is read out twice. */
export function say(where, text) {
  if (where.textContent !== text) where.textContent = text
}
