import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../src/version.js'
import { root } from './support/manifests.js'

interface LockedPackage {
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const locked: Readonly<Record<string, LockedPackage>> = read('package-lock.json').packages
const packages = Object.entries(locked).filter(([path]) => path !== '')

test('the program and the package have the same version', () => {
  expect(version).toBe(read('package.json').version)
})

test('the optional packages of every platform are locked, which installing on other platforms requires', () => {
  const names = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)))
  const wanted = packages.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}))
  expect(wanted.filter(name => !names.has(name))).toEqual([])
})

test('the page of packages gives a reason for every package except the common tools', () => {
  const tools = ['@biomejs/biome', '@jest/globals', '@types/node', 'fast-check', 'jest', 'typescript']
  const list = readFileSync(join(root, 'docs', 'decisions', 'packages.md'), 'utf8')
  const { devDependencies } = read('package.json')
  const wanted = Object.keys(devDependencies).filter(name => !tools.includes(name))
  expect(wanted.filter(name => !list.includes(`\`${name}\``))).toEqual([])
})
