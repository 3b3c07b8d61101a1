/**
 * Runs tests for Stryker in a process that loads them once. For each mutant, it switches the mutant on, runs the tests that
 * reach it up to the first failure, and switches it off. Loading the tests anew, as Jest does, took 2 s per mutant.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { configureGlobal } from 'fast-check'
import * as circus from 'jest-circus'

type Block = ReturnType<typeof circus.getState>['rootDescribeBlock']
type Child = Block['children'][number]
type Test = Extract<Child, { readonly type: 'test' }>

/** The variables that mutated code reads, and the counts that it writes, per test id. */
interface Switches {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: { readonly static: object; readonly perTest: object }
  hitCount?: number | undefined
  hitLimit?: number | undefined
}

interface MutantRun {
  readonly activeMutant: { readonly id: string }
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
}

const global = globalThis as typeof globalThis & { __stryker__?: Switches }
global.__stryker__ ??= {}
const switches = global.__stryker__
const circusRequire = createRequire(createRequire(import.meta.url).resolve('jest-circus'))
const { jestExpect } = circusRequire('@jest/expect')

/** The tests to load, and the mutated files, which are loaded first: coverage then shows the mutants that run at load time. */
const { tests, sources }: { readonly tests: readonly string[]; readonly sources: readonly string[] } =
  JSON.parse(process.env['LANDFORM_MUTATION'] ?? '{}')
const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus
Object.assign(globalThis, {
  describe,
  it,
  test,
  beforeAll,
  beforeEach,
  afterAll,
  afterEach,
  expect: jestExpect,
})
configureGlobal({ seed: 2026 })
// Work that a mutant has left behind may fail during a later test, and must not fail that test.
process.on('unhandledRejection', () => undefined)
process.on('uncaughtException', () => undefined)

const ids = new Map<Test, string>()
let loading: Promise<readonly Block[]> | undefined

/** Loads every file once, and returns the root blocks of the tests. */
function loaded(): Promise<readonly Block[]> {
  loading ??= (async () => {
    for (const file of sources) await import(pathToFileURL(file).href)
    const files: Block[] = []
    for (const file of tests) {
      circus.resetState()
      await import(pathToFileURL(file).href)
      files.push(circus.getState().rootDescribeBlock)
      for (const one of testsIn(files.at(-1) as Block)) ids.set(one, `${ids.size} ${one.name}`)
    }
    return files
  })()
  return loading
}

function testsIn({ children }: Block): readonly Test[] {
  return children.flatMap(child => (child.type === 'test' ? [child] : testsIn(child)))
}

interface Ended {
  readonly id: string
  readonly ms: number
  /** Absent if the test passed. */
  readonly failure?: string
}

async function* performed(block: Block, isChosen: (test: Test) => boolean): AsyncGenerator<Ended> {
  if (!testsIn(block).some(isChosen)) return
  await hook(block, 'beforeAll')
  try {
    for (const child of block.children) {
      if (child.type === 'describeBlock') yield* performed(child, isChosen)
      else if (isChosen(child)) yield await endOf(child)
    }
  } finally {
    await hook(block, 'afterAll')
  }
}

async function endOf(one: Test): Promise<Ended> {
  const id = ids.get(one) ?? ''
  const around: Block[] = []
  for (let block: Block | undefined = one.parent; block !== undefined; block = block.parent)
    around.push(block)
  const begin = performance.now()
  const timed = () => ({ id, ms: performance.now() - begin })
  switches.currentTestId = id
  try {
    try {
      for (const block of around.toReversed()) await hook(block, 'beforeEach')
      await (one.fn as () => unknown)()
    } finally {
      for (const block of around) await hook(block, 'afterEach')
    }
    return timed()
  } catch (error) {
    return { ...timed(), failure: error instanceof Error ? error.message : String(error) }
  } finally {
    switches.currentTestId = undefined
  }
}

async function hook({ hooks }: Block, type: Block['hooks'][number]['type']): Promise<void> {
  for (const one of hooks) if (one.type === type) await (one.fn as () => unknown)()
}

const isRun = ({ mode }: Test) => mode !== 'skip' && mode !== 'todo'

/** Runs these tests up to the first failure, and returns it. */
async function firstFailure(wanted: ReadonlySet<string> | undefined): Promise<Ended | undefined> {
  const isChosen = (one: Test) => isRun(one) && (wanted === undefined || wanted.has(ids.get(one) ?? ''))
  try {
    for (const block of await loaded())
      for await (const ended of performed(block, isChosen)) if (ended.failure !== undefined) return ended
  } catch (error) {
    // If a hook of several tests fails, the first of them counts as failed.
    return { id: [...(wanted ?? ids.values())][0] ?? '', ms: 0, failure: String(error) }
  }
  return undefined
}

const runner = {
  capabilities: () => ({ reloadEnvironment: false }),
  async dryRun() {
    const results = []
    for (const block of await loaded())
      for await (const { id, ms, failure } of performed(block, isRun))
        results.push({
          id,
          name: id,
          timeSpentMs: ms,
          ...(failure === undefined ? { status: 0 } : { status: 1, failureMessage: failure }),
        })
    return { status: 'complete', tests: results, mutantCoverage: switches.mutantCoverage }
  },
  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun) {
    const isLoaded = loading !== undefined
    const wanted = testFilter && new Set(testFilter)
    Object.assign(switches, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    const failed = await firstFailure(wanted)
    const hits = switches.hitCount ?? 0
    Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
    const nrOfTests = wanted?.size ?? ids.size
    if (hitLimit !== undefined && hits > hitLimit) return { status: 'timeout' }
    if (failed === undefined) return { status: 'survived', nrOfTests }
    // If the test also fails without the mutant, an earlier one has left something behind: Stryker retries in a new process.
    if (isLoaded && (await firstFailure(new Set([failed.id]))) !== undefined)
      throw new Error(`${failed.id} fails without a mutant: ${failed.failure}`)
    return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure ?? '', nrOfTests }
  },
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'landform', factory: () => runner }]
