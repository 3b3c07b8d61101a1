import type { RunState } from 'landform/sites'
import { byId, element, markElement, say } from '../../../../../page/script/element.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import { needsPerson, runStates, stateMark } from './states.js'

interface Filter {
  readonly state: RunState
  readonly button: HTMLButtonElement
  readonly number: HTMLElement
  /** The share of the state in the bar. */
  readonly part: HTMLElement
}

let filters: readonly Filter[] = []

/** Creates a filter button for each state; several may be pressed. */
export function makeCounts(changed: () => void): void {
  filters = runStates.map(state => {
    const number = element('span', 'count')
    const button = element('button', state, markElement(stateMark(state)), ` ${state} `, number)
    button.type = 'button'
    button.addEventListener('click', () => {
      if (!view.states.delete(state)) view.states.add(state)
      changed()
    })
    return { state, button, number, part: element('span', state) }
  })
  byId('counts').append(...filters.map(({ button }) => button))
  byId('bar').append(...filters.map(({ part }) => part))
}

/** Shows the number of sites in each state. Returns the number that need a person. */
export function showCounts(): number {
  let needy = 0
  const states = [...fleet.sites.values()].map(({ state }) => state)
  for (const { state, button, number, part } of filters) {
    const count = states.filter(one => one === state).length
    say(number, count.toLocaleString('en'))
    const isPressed = view.states.has(state)
    button.ariaPressed = `${isPressed}`
    button.hidden = count === 0 && !isPressed
    part.style.setProperty('flex-grow', `${count}`)
    part.hidden = count === 0
    if (needsPerson(state)) needy += count
  }
  byId('bar').hidden = fleet.sites.size === 0
  return needy
}
