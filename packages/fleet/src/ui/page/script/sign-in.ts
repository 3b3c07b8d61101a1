import { byId, say } from '../../../../../page/script/element.js'

/** Shows the form, and starts after the correct token. */
export function askForToken(begin: () => void): void {
  const form = byId('sign-in', HTMLFormElement)
  const token = byId('token', HTMLInputElement)
  form.hidden = false
  token.focus()
  form.onsubmit = async event => {
    event.preventDefault()
    const body = new URLSearchParams({ token: token.value })
    const { status } = await fetch('sign-in', { method: 'POST', body }).catch(() => ({ status: 0 }))
    if (status !== 204) {
      say(byId('wrong'), answers.get(status) ?? 'The server did not respond: try again.')
      token.select()
      return
    }
    form.hidden = true
    form.reset()
    say(byId('wrong'), '')
    begin()
  }
}

byId('sign-out').addEventListener('click', async () => {
  await fetch('sign-out', { method: 'POST' }).catch(() => undefined)
  location.reload()
})

const answers: ReadonlyMap<number, string> = new Map([
  [401, 'Wrong token.'],
  [429, 'Too many wrong tokens: try again in a moment.'],
])
