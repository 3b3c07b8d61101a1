/**
 * The emulator against the service document, sentence by sentence, over HTTP. The expectations are taken from the
 * document itself: nothing of `src/contract` is imported.
 */
import { closeUnchanged } from './conformance/cases.js'
import { profiles, secretQuestions, webhook } from './conformance/choices.js'
import { cloudStorage } from './conformance/cloud-storage.js'
import { configuring } from './conformance/configure.js'
import { conventions } from './conformance/conventions.js'
import { dataStores } from './conformance/data-stores.js'
import { deleting } from './conformance/delete-all.js'
import { errors } from './conformance/error-body.js'
import { exportResult } from './conformance/export-result.js'
import { common, exporting } from './conformance/export-site.js'
import { purposes } from './conformance/purposes.js'
import { root } from './conformance/root-resource.js'
import { authentication, errorRules, events, limits } from './conformance/rules-of-all.js'
import type { Section } from './conformance/sentence.js'
import { states } from './conformance/states.js'
import { structures } from './conformance/structures.js'
import { updating } from './conformance/update.js'
import { versions } from './conformance/versions.js'
import { volumeEntries } from './conformance/volume-entries.js'

afterAll(closeUnchanged)

const sections: readonly Section[] = [
  conventions,
  purposes,
  exportResult,
  errors,
  root,
  volumeEntries,
  cloudStorage,
  dataStores,
  structures,
  webhook,
  secretQuestions,
  profiles,
  states,
  common,
  exporting,
  deleting,
  configuring,
  updating,
  authentication,
  events,
  errorRules,
  limits,
  versions,
]

/** The number of sentences, table rows, list items and headings of operations in each section, counted by hand. */
const inDocument = {
  '0': 6,
  '1': 11,
  '2.1': 5,
  '2.2': 3,
  '2.3': 28,
  '2.4': 6,
  '2.5': 16,
  '2.6': 5,
  '2.7': 7,
  '2.8': 1,
  '2.9': 15,
  '2.10': 3,
  '3': 6,
  '4.0': 2,
  '4.1': 15,
  '4.2': 7,
  '4.3': 26,
  '4.4': 11,
  '5': 4,
  '6': 1,
  '7': 2,
  '8': 5,
  '9': 10,
}

const sentences = sections.flatMap(({ section, sentences }) => sentences.map(one => ({ section, ...one })))
const shown = sentences.filter(sentence => sentence.shown !== undefined)
const cases = shown.flatMap(sentence => sentence.shown ?? [])
const reasons = sentences.filter(sentence => sentence.notShown !== undefined)

describe.each(sections)('§$section, $title', ({ sentences }) => {
  for (const { says, shown = [] } of sentences)
    for (const [what, holds] of shown) test(`${says}: ${what}`, holds)
})

test(`${sentences.length} sentences: ${shown.length} shown in ${cases.length} cases, ${reasons.length} with a reason why not or not all`, () => {
  const counted = sections.map(({ section, sentences }) => [section, sentences.length])
  expect(Object.fromEntries(counted)).toEqual(inDocument)
})

test('every sentence is listed once, and is shown by a case or has a reason why not', () => {
  const said = sentences.map(({ section, says }) => `${section} ${says}`)
  expect(new Set(said).size).toBe(said.length)
  expect(sentences.filter(({ shown, notShown }) => !shown?.length && !notShown)).toEqual([])
  for (const { says, shown = [] } of sentences)
    expect([says, ...new Set(shown.map(([what]) => what))]).toHaveLength(shown.length + 1)
})
