import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { quote } from '../diagnostics/words.js'
import { placeDiagnostics, readSmallFile } from '../manifest/small-file.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'
import type { Result } from '../result.js'
import { checkTest } from '../schema/check.js'
import { parseDurationMs } from '../schema/fields.js'
import type { Emulated, Expect, Step, Test, SiteTest as TestDocument } from '../schema/generated/test.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { buildTestSchema } from '../schema/test-schema.js'

/** A test file that fits its schema; only `loadTests` makes one. */
export interface TestFile {
  readonly source: Source
  /** Positions of its parts. */
  readonly document: YamlDocument
  /** Path of the manifest, relative to the folder of the file. */
  readonly manifest: string
  readonly tests: readonly SiteTest[]
}

/** One test, with its own site. */
export interface SiteTest {
  readonly name: string
  readonly pointer: JsonPointer
  /** The settings and faults of the emulated site. */
  readonly site: Emulated
  /** Runs against that site, in order. */
  readonly runs: readonly TestRun[]
}

/** One run: changes to the manifest, options of the apply if there is one, and the expected results. */
export interface TestRun {
  /** Pointer to its `expect`. */
  readonly pointer: JsonPointer
  readonly afterMs: number
  /** Overlays to merge into the manifest, nearest first: those of the run, then those of the test. */
  readonly overlays: readonly Source[]
  /** Absent if the run only plans. */
  readonly apply?: {
    readonly timeoutMs?: number
    readonly pollMs?: number
    readonly detach: boolean
  }
  readonly expect: Expect
}

const testFilePattern = /(?:^|[/\\])([^/\\]+)\.test(\.ya?ml)$/i

/** Tests whether a file has the name of a test file, such as `site.test.yaml`. */
export function isTestFile(file: string): boolean {
  return testFilePattern.test(file)
}

/** Derives the name of the manifest from the name of a test file; `undefined` for another name. */
function deriveManifestName(file: string): string | undefined {
  const [, name, extension] = testFilePattern.exec(file) ?? []
  return name === undefined ? undefined : `${name}${extension}`
}

/** Reads a test file: YAML and its schema. Returns every mistake at once, with its place; runs nothing. */
export function loadTests(source: Source): Result<TestFile, readonly Diagnostic[]> {
  const read = readSmallFile(source, testFile)
  if (!read.ok) return read
  const { value: document } = read
  const { manifest = deriveManifestName(source.name), tests } = document.value as unknown as TestDocument
  const mistakes = [...findDuplicateNames(tests)]
  if (manifest === undefined)
    mistakes.push(
      diagnoseValue('', '`manifest` is missing: only a file named like `site.test.yaml` can omit it'),
    )
  if (manifest === undefined || mistakes.length > 0)
    return { ok: false, error: placeDiagnostics(document, mistakes) }
  const loaded = tests.map((test, index) =>
    buildTest(test, appendSegment('/tests', index), document, source.name),
  )
  return { ok: true, value: { source, document, manifest, tests: loaded } }
}

const testFile = { area: 'test', example: 'tests', schema: buildTestSchema, check: checkTest } as const

function buildTest(test: Test, pointer: JsonPointer, document: YamlDocument, file: string): SiteTest {
  const { name, site = {}, next: further = [] } = test
  const overlayAt = (at: JsonPointer, step: Step): readonly Source[] =>
    step.with === undefined ? [] : [cutOut(document, appendSegment(at, 'with'), file)]
  const under = overlayAt(pointer, test)
  const steps = further.map((step, index) => {
    const at = appendSegment(appendSegment(pointer, 'next'), index)
    return buildRun(step, at, [...overlayAt(at, step), ...under])
  })
  return { name, pointer, site, runs: [buildRun(test, pointer, under), ...steps] }
}

function buildRun(step: Step, pointer: JsonPointer, overlays: readonly Source[]): TestRun {
  const { after = '0s', apply = {}, expect } = step
  const { timeout, poll, detach = false } = apply
  return {
    pointer: appendSegment(pointer, 'expect'),
    afterMs: parseDurationMs(after),
    overlays,
    expect,
    ...((step.apply !== undefined || needsApply(expect)) && {
      apply: {
        detach,
        ...(timeout !== undefined && { timeoutMs: parseDurationMs(timeout) }),
        ...(poll !== undefined && { pollMs: Math.max(10, parseDurationMs(poll)) }),
      },
    }),
  }
}

/** True if an expectation can only be checked by applying the plan. */
function needsApply({ diagnostics, policy, plan, ...others }: Expect): boolean {
  return Object.keys(others).length > 0
}

/** Finds names shared by several tests: they would be ambiguous in reports. */
function* findDuplicateNames(tests: readonly Test[]): Generator<Diagnostic> {
  const seen = new Set<string>()
  for (const [index, { name }] of tests.entries()) {
    if (seen.has(name))
      yield diagnoseValue(
        appendSegment(appendSegment('/tests', index), 'name'),
        `there is already a test named ${quote(name)}`,
      )
    seen.add(name)
  }
}

function diagnoseValue(pointer: JsonPointer, problem: string): Diagnostic {
  return diagnose('test/value', pointer, { problem, suggestion: undefined })
}

/** Makes a source from one part of a file, with blanks for the rest, so diagnostics have positions in the file. */
function cutOut({ text, spans }: YamlDocument, pointer: JsonPointer, name: string): Source {
  const [from, to] = spans.get(pointer)?.value ?? [0, 0]
  const blank = (part: string) => part.replaceAll(/[^\r\n]/g, ' ')
  const alone = `${blank(text.slice(0, from))}${text.slice(from, to)}${blank(text.slice(to))}`
  return { name, bytes: Buffer.from(alone) }
}
