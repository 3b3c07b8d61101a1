import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withSites } from '../../src/cli/site/open-sites.js'
import { fakeHost } from '../support/fake-host.js'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function aSession(closed: string[]) {
  return {
    url: 'https://gis.example.org/arcgis/admin',
    inputs: [],
    readLines: () => undefined,
    manifest: { name: 'gis' },
    async close() {
      closed.push('gis')
    },
  }
}

test('a site is closed only once, and keeps nothing that was read for it', async () => {
  const closed: string[] = []
  let session: WeakRef<object> | undefined
  const argv = { format: [], color: 'never', quiet: false, verbose: false, url: undefined } as const
  const exitCode = await withSites(argv, fakeHost(), {
    formats: ['text'] as const,
    chosen: { kind: 'many', candidates: [{ file: 'site.yaml', how: 'named' }] },
    async open() {
      const value = aSession(closed)
      session = new WeakRef(value)
      return { ok: true, value }
    },
    async work({ members }) {
      const [member] = members
      if (member?.opened.ok !== true) throw new Error('the site is not open')
      const { value: opened } = member.opened
      expect(opened.session().manifest.name).toBe('gis')
      await opened.close()
      await setImmediate()
      collectGarbage()
      expect(session?.deref()).toBeUndefined()
      expect(() => opened.session()).toThrow('the site is closed')
      expect(member).toMatchObject({ site: 'gis', url: 'https://gis.example.org/arcgis/admin' })
      return 0
    },
  })
  expect({ exitCode, closed }).toEqual({ exitCode: 0, closed: ['gis'] })
})
