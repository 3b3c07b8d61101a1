import { byId } from '../../../../../page/script/element.js'
import { listHash, siteHash, view } from './route.js'
import { neighbour, step } from './table.js'

/** Sets up the keyboard. Keys with Control or Alt belong to the browser. */
export function makeKeys() {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open || !byId('sign-in').hidden) return
    const isTyping = event.target === byId('search')
    const act = isTyping
      ? whileTyping[event.key]
      : view.site === undefined
        ? inList[event.key]
        : inSite[event.key]
    if (act === undefined) return
    const isArrow = event.key.startsWith('Arrow')
    if (isArrow && !isTyping && event.target.closest('#rows') === null) return
    event.preventDefault()
    act()
  })
  byId('keys').addEventListener('click', help)
  byId('skip').addEventListener('click', event => {
    event.preventDefault()
    if (view.site === undefined) step(0)
    else byId('one').focus()
  })
}

const help = () => byId('help').showModal()
const down = () => step(1)
const up = () => step(-1)
const search = () => {
  byId('search').focus()
  byId('search').select()
}

const inList = { '/': search, '?': help, j: down, k: up, ArrowDown: down, ArrowUp: up }
const inSite = {
  '?': help,
  j: () => turnTo(1),
  k: () => turnTo(-1),
  Escape: () => {
    location.hash = listHash()
  },
}
const whileTyping = {
  ArrowDown: () => step(0),
  Escape: () => {
    const field = byId('search')
    if (field.value === '') field.blur()
    field.value = ''
    field.dispatchEvent(new Event('input'))
  },
}

function turnTo(by) {
  const site = neighbour(view.site, by)
  if (site !== undefined) location.hash = siteHash(site)
}
