import { mapSettings } from '../../src/plan/observation.js'

/** Returns the facts to which a plan of `aSituation` is bound, with this serial of the record. */
export function boundFacts(record: number) {
  return {
    manifest: `sha256:${'a'.repeat(64)}`,
    files: { 'licenses/site.json': `sha256:${'b'.repeat(64)}` },
    origin: 'https://gis.example.org',
    site: { state: 'not-configured', version: '11.2.0', settings: mapSettings(() => null) },
    record,
    recorded: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    tool: 'landform 0.1.0',
    schema: 'landform.dev/v1',
  }
}
