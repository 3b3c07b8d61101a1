import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { quoted } from '../diagnostics/words.js'
import { inPlace, readSmallFile } from '../manifest/small-file.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'
import type { Result } from '../result.js'
import { checkTest } from '../schema/check-test.js'
import { durationMs } from '../schema/duration.js'
import {
  type ExpectDocument,
  type StepDocument,
  type TestDocument,
  type TestFileDocument,
  testSchema,
} from '../schema/test-schema.js'
import { cutOut } from './cut-out.js'
import { manifestOf } from './file-name.js'
import type { SiteTest, TestFile, TestRun } from './site-test.js'

/** Reads a test file: YAML and its schema. Returns every mistake at once, with its place; runs nothing. */
export function loadTests(source: Source): Result<TestFile, readonly Diagnostic[]> {
  const read = readSmallFile(source, testFile)
  if (!read.ok) return read
  const { value: document } = read
  const { manifest = manifestOf(source.name), tests } = document.value as unknown as TestFileDocument
  const mistakes = [...twice(tests)]
  if (manifest === undefined)
    mistakes.push(wrong('', '`manifest` is missing: only a file named like `site.test.yaml` can omit it'))
  if (manifest === undefined || mistakes.length > 0) return { ok: false, error: inPlace(document, mistakes) }
  const loaded = tests.map((test, index) => testOf(test, child('/tests', index), document, source.name))
  return { ok: true, value: { source, document, manifest, tests: loaded } }
}

const testFile = { area: 'test', example: 'tests', schema: testSchema, check: checkTest } as const

function testOf(test: TestDocument, pointer: JsonPointer, document: YamlDocument, file: string): SiteTest {
  const { name, site = {}, next: further = [] } = test
  const overlayAt = (at: JsonPointer, step: StepDocument): readonly Source[] =>
    step.with === undefined ? [] : [cutOut(document, child(at, 'with'), file)]
  const under = overlayAt(pointer, test)
  const steps = further.map((step, index) => {
    const at = child(child(pointer, 'next'), index)
    return runOf(step, at, [...overlayAt(at, step), ...under])
  })
  return { name, pointer, site, runs: [runOf(test, pointer, under), ...steps] }
}

function runOf(step: StepDocument, pointer: JsonPointer, overlays: readonly Source[]): TestRun {
  const { after = '0s', apply = {}, expect } = step
  const { timeout, poll, detach = false } = apply
  return {
    pointer: child(pointer, 'expect'),
    afterMs: durationMs(after),
    overlays,
    expect,
    ...((step.apply !== undefined || asksForMore(expect)) && {
      apply: {
        detach,
        ...(timeout !== undefined && { timeoutMs: durationMs(timeout) }),
        ...(poll !== undefined && { pollMs: Math.max(10, durationMs(poll)) }),
      },
    }),
  }
}

/** True if an expectation can only be checked by applying the plan. */
function asksForMore({ diagnostics, policy, plan, ...others }: ExpectDocument): boolean {
  return Object.keys(others).length > 0
}

/** Finds names that two tests share: reports could not say which one they mean. */
function* twice(tests: readonly TestDocument[]): Generator<Diagnostic> {
  const seen = new Set<string>()
  for (const [index, { name }] of tests.entries()) {
    if (seen.has(name))
      yield wrong(child(child('/tests', index), 'name'), `there is already a test named ${quoted(name)}`)
    seen.add(name)
  }
}

function wrong(pointer: JsonPointer, problem: string): Diagnostic {
  return diagnose('test/value', pointer, { problem, suggestion: undefined })
}
