import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { testInBrowser } from '../support/browser.js'
import { root } from '../support/manifests.js'

const images = join(root, 'docs', 'images')
let complaints = ''
beforeAll(() => {
  const script = join(root, 'scripts', 'pictures.mjs')
  complaints = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' }).stderr
})

test.each(['apply.svg', 'init.svg'])('%s shows the output of the program', name => {
  expect(complaints).not.toContain(name)
})

// The picture is drawn with a browser.
testInBrowser('the picture of a plan matches the page', () => {
  expect(complaints).toBe('')
})

test.each([
  ['apply.svg', '9 of 14 stages complete'],
  ['init.svg', 'What is your dream job?'],
])('%s is well-formed, loads nothing, and runs no script', (name, text) => {
  const markup = readFileSync(join(images, name), 'utf8')
  const names = new Set<string>()
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    for (const attribute of Object.keys(attributes)) names.add(attribute)
    names.add(name)
  })
  parser.write(markup).close()
  const dangerous = /^(?:script|foreignObject|image|use|a|href|xlink:href|on.*)$/
  expect([...names].filter(name => dangerous.test(name))).toEqual([])
  expect(markup).not.toMatch(/@import|url\(/)
  expect(markup).toContain(text)
})

test.each(['apply.svg', 'init.svg', 'plan.png'])('%s is small enough for a README', name => {
  expect(statSync(join(images, name)).size).toBeLessThan(60_000)
})
