import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { type Spelling, spellingNames, spellings } from '../../../support/spellings.js'
import { type Canaries, canariesOf, controlOf, type SecretName } from '../canaries.js'
import type { Scene } from './scene.js'

/** The secrets that a site was sent, by a process that is gone. */
const sent: readonly SecretName[] = [
  'password',
  'answer',
  'token',
  'license',
  'accessKey',
  'secretKey',
  'storageAccountKey',
  'hmacAccessKey',
  'hmacSecretKey',
]

/** How much of a secret must not be left in its spelling, in characters of the secret. */
const pieceCharacters = 8

/**
 * The short form has a site repeat so many spellings at once: no more, for of its warnings fifty are shown. It refuses in every
 * fourth of these.
 */
const spellingsAtOnce = 4

/**
 * A service that repeats what another process sent it, in every spelling, to processes that have sent nothing: in what it shows of
 * itself, and in refusals. Beside the secrets it writes a text that is none, which has to be found in the same spelling.
 */
export async function spelled(scene: Scene, isShort: boolean): Promise<void> {
  const { place, ledger, reference, complain } = scene
  const { canaries, control } = place
  const others = { ...canariesOf(place.seed + 1), control: controlOf(place.seed + 1).value }
  const site = await repeatingSite(canaries, control.value)
  const file = place.write('spelled.yaml', { url: site.url, token: reference('token') })
  const exporting = ['export-site', file, '--location', '/b', '--yes', '--format', 'json']
  for (const [at, names] of inGroups(spellingNames, isShort ? spellingsAtOnce : 1).entries()) {
    site.write(names)
    const shown = await printedBy(scene, ['status', file, '--format', 'json'])
    const refused = isShort && at % 4 !== 0 ? '{}' : await printedBy(scene, exporting)
    const [ofSite, ofRefusal] = [textsIn(shown), textsIn(refused)]
    ledger.see('what a later process shows', `${control.value} ${ofSite} ${ofRefusal}`)
    const text = `${ofSite}\n${ofRefusal}`
    for (const name of names) {
      for (const secret of sent) {
        const left = piecesLeft(name, canaries[secret], { other: others[secret], text })
        if (left > 0) complain(`a later process shows ${left} pieces of ${secret} ${name}`)
      }
      if (piecesLeft(name, control.value, { other: others.control, text: ofSite }) === 0)
        complain(`a text that is no secret was not found ${name}: nobody looked`)
    }
  }
  await site.close()
}

function inGroups(names: readonly Spelling[], size: number): readonly (readonly Spelling[])[] {
  const groups = Math.ceil(names.length / size)
  return Array.from({ length: groups }, (_, at) => names.slice(at * size, (at + 1) * size))
}

/** So many pieces of a secret in a spelling stand in a text; what another secret has in the same spelling tells nothing. */
export function piecesLeft(
  name: Spelling,
  secret: string,
  { other, text }: { readonly other: string; readonly text: string },
): number {
  const spell: (body: Buffer) => string = spellings[name]
  const [said, notSaid] = [spell(Buffer.from(secret)), spell(Buffer.from(other))]
  // As long as the longest that so many characters become.
  const pieces = [...secret].map((_, at) =>
    spell(Buffer.from([...secret].slice(at, at + pieceCharacters).join(''))),
  )
  const length = Math.max(...pieces.map(piece => piece.length))
  let found = 0
  for (let at = 0; at + length <= said.length; at += 1) {
    const piece = said.slice(at, at + length)
    if (text.includes(piece) && !notSaid.includes(piece)) found += 1
  }
  return found
}

/** All texts of a document. */
function textsIn(document: string): string {
  const texts: string[] = []
  JSON.parse(document, (_, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n')
}

async function printedBy({ run, complain }: Scene, words: readonly string[]): Promise<string> {
  const pieces: Buffer[] = []
  await run(words, {
    channel: 'a process that sent nothing',
    during: async child => {
      child.stdout?.on('data', chunk => pieces.push(chunk))
    },
  })
  const text = Buffer.concat(pieces).toString()
  if (text !== '') return text
  complain(`${words.join(' ')} printed nothing: ${inspect(words)}`)
  return '{}'
}

/** Starts one; whoever asks closes it. */
async function repeatingSite(canaries: Canaries, control: string) {
  let repeated: readonly Spelling[] = []
  const said = (text: string) =>
    repeated.map(name => {
      const spell: (body: Buffer) => string = spellings[name]
      return spell(Buffer.from(text))
    })
  const answer = (isPost: boolean) => {
    const texts = sent.flatMap(name => said(canaries[name]))
    if (isPost) return { error: { code: 400, message: `${control} ${texts.join(' ')}`, details: null } }
    const stages = texts.map(name => ({ name, state: 'in_progress', startTime: 0, lastUpdated: 1 }))
    const status = {
      state: 'in_progress',
      message: texts.join(' '),
      warnings: [...texts, ...said(control), ...said(control).map(text => `${control} ${text}`)],
      stages,
    }
    return { fullVersion: '11.2.0', currentVersion: 11.2, resources: [], status }
  }
  const server = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify(answer(request.method === 'POST')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin`,
    write(names: readonly Spelling[]) {
      repeated = names
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
