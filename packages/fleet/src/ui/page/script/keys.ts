import { byId } from '../../../../../page/script/element.js'
import { listHash, siteHash, view } from './route.js'
import { neighbour, step } from './table.js'

type Keys = ReadonlyMap<string, () => void>

/** Sets up the keyboard. Keys with Control or Alt belong to the browser. */
export function makeKeys(): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || !byId('sign-in').hidden) return
    const isTyping = event.target === field
    const act = (isTyping ? whileTyping : view.site === undefined ? inList : inSite).get(event.key)
    if (act === undefined) return
    const isInList = event.target instanceof Element && event.target.closest('#rows') !== null
    if (event.key.startsWith('Arrow') && !isTyping && !isInList) return
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

const dialog = byId('help', HTMLDialogElement)
const field = byId('search', HTMLInputElement)
const help = () => dialog.showModal()
const down = () => step(1)
const up = () => step(-1)
const search = () => {
  field.focus()
  field.select()
}

const inList: Keys = new Map([
  ['/', search],
  ['?', help],
  ['j', down],
  ['k', up],
  ['ArrowDown', down],
  ['ArrowUp', up],
])
const inSite: Keys = new Map([
  ['?', help],
  ['j', () => turnTo(1)],
  ['k', () => turnTo(-1)],
  [
    'Escape',
    () => {
      location.hash = listHash()
    },
  ],
])
const whileTyping: Keys = new Map([
  ['ArrowDown', () => step(0)],
  [
    'Escape',
    () => {
      if (field.value === '') field.blur()
      field.value = ''
      field.dispatchEvent(new Event('input'))
    },
  ],
])

function turnTo(by: number): void {
  const site = neighbour(view.site, by)
  if (site !== undefined) location.hash = siteHash(site)
}
