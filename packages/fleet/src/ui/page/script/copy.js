import { element, say } from '../../../../../page/script/element.js'

/** Creates a button that copies a text, or selects it if the browser does not allow copying. */
export function copyButton(from) {
  const button = element('button', '', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    const copied = navigator.clipboard?.writeText(from.textContent) ?? Promise.reject()
    await copied.then(
      () => say(button, 'Copied'),
      () => getSelection().selectAllChildren(from),
    )
    setTimeout(() => say(button, 'Copy'), 1500)
  })
  return button
}
