import { join } from 'node:path'
import { aSubmission } from '../../support/a-submission.js'
import { keep, keptBy, someHolders } from '../../support/kept-state.js'
import { landform } from '../../support/landform.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const url = 'https://gis.example.org/arcgis/admin'

type Fate = 'dead' | 'elsewhere' | 'alive'

/** A site that is locked by a run whose process has this fate. */
async function lockedBy(fate: Fate) {
  const folder = join(await temporaryFolder(), 'kept')
  const store = keptBy((await someHolders())[fate], { folder, url })
  const { lock } = await keep(store, { submission: aSubmission() }, 'keeps it')
  const site = ['--url', url, '--state', `file:${folder}`]
  const unlock = (args: readonly string[], answer?: string) =>
    landform(['state', 'unlock', ...site, ...args], answer === undefined ? {} : { answer })
  return { store, unlock, nonce: lock?.nonce ?? '', site }
}

const isLocked = async (store: ReturnType<typeof keptBy>) => {
  const read = await store.read()
  return read.ok && read.value?.lock !== undefined
}

test('without a lock, the command says so and succeeds', async () => {
  const folder = join(await temporaryFolder(), 'kept')
  const { exitCode, out } = await landform(['state', 'unlock', '--url', url, '--state', `file:${folder}`])
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'No lock: no run is working on this site.\n' })
})

test.each<[Fate, string, RegExp]>([
  ['alive', 'it is running', /^next: wait for that run/m],
  ['dead', 'it has ended; the next run takes over the lock', /^next: landform apply site\.yaml --url/m],
  [
    'elsewhere',
    'it cannot be determined from here whether it is running',
    /^next: make sure that it is gone, then run `/m,
  ],
])('without a nonce it prints for a process that is %s: %s', async (fate, words, next) => {
  const { unlock, store } = await lockedBy(fate)
  const { exitCode, out, err } = await unlock([])
  expect(exitCode).toBe(7)
  expect(out).toContain(words)
  expect(err).not.toContain('error')
  expect(err).toMatch(next)
  expect(await isLocked(store)).toBe(true)
})

test('the command that it prints removes the lock', async () => {
  const { unlock, store, site } = await lockedBy('elsewhere')
  const { err } = await unlock([])
  const [, typed = ''] = /`(landform state unlock [^`]*)`/.exec(err) ?? []
  expect(typed.split(' ').slice(3)).toEqual([...site, '--nonce', expect.any(String)])
  const { exitCode, out } = await landform(typed.split(' ').slice(1))
  expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining('Lock removed') })
  expect(await isLocked(store)).toBe(false)
})

test('the lock of a live process is never removed', async () => {
  const { unlock, store, nonce } = await lockedBy('alive')
  expect((await unlock(['--nonce', nonce])).exitCode).toBe(7)
  expect((await unlock(['--nonce', nonce, '--yes'])).exitCode).toBe(7)
  expect(await store.unlock(nonce)).toEqual({ ok: true, value: 'alive' })
  expect(await isLocked(store)).toBe(true)
})

test('another nonce removes nothing', async () => {
  const { unlock, store } = await lockedBy('dead')
  const { exitCode, err } = await unlock(['--nonce', '0000'])
  expect({ exitCode, err }).toEqual({ exitCode: 6, err: expect.stringContaining('nothing was removed') })
  expect(await isLocked(store)).toBe(true)
})

test.each([
  ['yes', 0, false],
  ['y', 78, true],
])('on a terminal the answer "%s" to the question ends with %i', async (answer, code, stays) => {
  const { unlock, store, nonce } = await lockedBy('elsewhere')
  const { exitCode, err } = await unlock(['--nonce', nonce], answer)
  expect(exitCode).toBe(code)
  expect(err).toContain('Type `yes` to confirm: ')
  expect(await isLocked(store)).toBe(stays)
})

test('the intent of the run whose lock is removed remains', async () => {
  const { unlock, store, nonce } = await lockedBy('elsewhere')
  await unlock(['--nonce', nonce])
  expect(await store.read()).toMatchObject({
    ok: true,
    value: { entry: { type: 'unlocked' }, submission: { state: 'intent' } },
  })
})
