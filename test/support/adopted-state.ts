import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** True if no file of a folder has one of these values; false, too, where there is no file. */
export function secretFreeState(folder: string, secrets: Readonly<Record<string, string>>): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
  const texts = files.map(path => readFileSync(path, 'utf8'))
  return texts.length > 0 && !Object.values(secrets).some(value => texts.some(text => text.includes(value)))
}
