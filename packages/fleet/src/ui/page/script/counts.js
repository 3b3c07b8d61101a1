import { byId, element, say } from '../../../../../page/script/element.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import { needsPerson, runStates, stateMark } from './states.js'

const buttons = new Map()
const parts = new Map()

/** Creates a filter button for each state; several may be pressed. */
export function makeCounts(changed) {
  for (const state of runStates) {
    const number = element('span', 'count')
    const mark = element('span', 'mark', stateMark(state))
    mark.ariaHidden = 'true'
    const button = element('button', state, mark, ` ${state} `, number)
    button.type = 'button'
    button.addEventListener('click', () => {
      if (!view.states.delete(state)) view.states.add(state)
      changed()
    })
    buttons.set(state, { button, number })
    parts.set(state, element('span', state))
  }
  byId('counts').append(...[...buttons.values()].map(({ button }) => button))
  byId('bar').append(...parts.values())
}

/** Shows the number of sites in each state. Returns the number that need a person. */
export function showCounts() {
  const counts = new Map(runStates.map(state => [state, 0]))
  for (const { state } of fleet.sites.values()) counts.set(state, (counts.get(state) ?? 0) + 1)
  for (const [state, { button, number }] of buttons) {
    const count = counts.get(state)
    say(number, count.toLocaleString('en'))
    const isPressed = view.states.has(state)
    button.ariaPressed = `${isPressed}`
    button.hidden = count === 0 && !isPressed
    parts.get(state).style.setProperty('flex-grow', `${count}`)
    parts.get(state).hidden = count === 0
  }
  byId('bar').hidden = fleet.sites.size === 0
  return [...counts].reduce((sum, [state, count]) => sum + (needsPerson(state) ? count : 0), 0)
}
