import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SentBody } from './bodies.js'
import type { BodyFile, Parser } from './reader.js'
import { difference } from './value.js'

/** How a parser fared. A body in two framings is two requests. */
export interface Score {
  readonly multipart: number
  readonly forms: number
  readonly mismatches: readonly string[]
}

/** Puts bodies into files of a folder, where every parser finds them. */
export async function bodyFiles(folder: string, bodies: readonly SentBody[]): Promise<readonly BodyFile[]> {
  const files: BodyFile[] = []
  for (const [index, { description, body, values }] of bodies.entries()) {
    const path = join(folder, `body-${index}`)
    await writeFile(path, body.bytes)
    files.push({ description: `${description} ${index}`, path, contentType: body.contentType, values })
  }
  return files
}

/** Starts a parser, has it read every body in each framing that it knows, and stops it. */
export async function runParser(parser: Parser, folder: string, bodies: readonly BodyFile[]): Promise<Score> {
  const own = await mkdtemp(join(folder, 'parser-'))
  const reader = await parser.start(own)
  let [multipart, forms] = [0, 0]
  const mismatches: string[] = []
  try {
    for (const body of bodies) {
      const isForm = !body.contentType.startsWith('multipart/')
      if (isForm && !parser.readsForms) continue
      for (const framing of reader.framings) {
        if (isForm) forms += 1
        else multipart += 1
        const problem = await reader.read(body, framing).then(
          found => difference(body.values, found),
          error => String(error),
        )
        if (problem !== undefined) mismatches.push(`${body.description}, ${framing}: ${problem}`)
      }
    }
  } finally {
    await reader.close()
    await rm(own, { recursive: true, force: true })
  }
  return { multipart, forms, mismatches }
}
