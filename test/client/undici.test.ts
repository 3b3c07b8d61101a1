import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../support/manifests.js'

/** What a fresh process says of the files of undici that are loaded: beside others of this run they would be there already. */
const script = `
  const key = Symbol.for('undici.globalDispatcher.1')
  const own = await import(${JSON.stringify(pathToFileURL(join(root, 'dist', 'src', 'client', 'undici.js')).href)})
  const before = key in globalThis
  const { connect } = own.Client.prototype
  const whole = await import('undici')
  console.log(JSON.stringify({
    replacesFetch: before,
    sameClient: own.Client === whole.Client,
    sameConnector: own.buildConnector === whole.buildConnector,
    sameConnect: connect === whole.Dispatcher.prototype.connect,
    wholeReplacesFetch: key in globalThis,
  }))`

test('the files of undici that are loaded are parts of its public whole, without what it does to fetch', () => {
  const words = ['--input-type=module', '-e', script]
  expect(JSON.parse(execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }))).toEqual({
    replacesFetch: false,
    sameClient: true,
    sameConnector: true,
    sameConnect: true,
    wholeReplacesFetch: true,
  })
})
