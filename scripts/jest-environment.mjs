import { AsyncLocalStorage } from 'node:async_hooks'
import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

// Jest makes storages for each file, and Node keeps every one that was once used: up to version 22 each promise of all later
// files then carries a value for each of them.
const used = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (...words) {
  used.add(this)
  return run.apply(this, words)
}

// In a context with a sandbox each use of a global, such as `Math`, asks the sandbox, which takes a thousand times as long.
const { createContext } = vm
vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)

/** The environment of Node, which leaves no storage behind. */
export default class extends TestEnvironment {
  async teardown() {
    await super.teardown()
    for (const storage of used) storage.disable()
    used.clear()
  }
}
