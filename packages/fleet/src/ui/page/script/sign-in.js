import { byId, say } from '../../../../../page/script/element.js'

/** Shows the form, and starts after the correct token. */
export function askForToken(begin) {
  const form = byId('sign-in')
  form.hidden = false
  byId('token').focus()
  form.onsubmit = async event => {
    event.preventDefault()
    const body = new URLSearchParams({ token: byId('token').value })
    const { status } = await fetch('sign-in', { method: 'POST', body }).catch(() => ({ status: 0 }))
    if (status !== 204) {
      say(byId('wrong'), answers[status] ?? 'The server did not respond: try again.')
      byId('token').select()
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

const answers = { 401: 'Wrong token.', 429: 'Too many wrong tokens: try again in a moment.' }
