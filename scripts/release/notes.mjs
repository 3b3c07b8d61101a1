// Prints the section of CHANGELOG.md about the version in package.json: the text of a release.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
const section = sections.find(text => text.startsWith(`${version} - `)) ?? ''
process.stdout.write(`${section.slice(section.indexOf('\n')).trim()}\n`)
