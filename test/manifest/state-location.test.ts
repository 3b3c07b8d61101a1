import { parseDeclaredLocation, parseStateLocation } from '../../src/manifest/state-location.js'

describe('a state location', () => {
  test.each([
    ['file:.landform', { kind: 'file', folder: '.landform' }],
    ['file:/var/lib/landform', { kind: 'file', folder: '/var/lib/landform' }],
    ['git:origin', { kind: 'git', remote: 'origin' }],
    ['git:https://git.example.org/x.git', { kind: 'git', remote: 'https://git.example.org/x.git' }],
    ['git:ssh://git@git.example.org/x', { kind: 'git', remote: 'ssh://git@git.example.org/x' }],
    ['git:git@git.example.org:x', { kind: 'git', remote: 'git@git.example.org:x' }],
    ['git:../x', { kind: 'git', remote: '../x' }],
    ['git:/x', { kind: 'git', remote: '/x' }],
    ['git:C:/x', { kind: 'git', remote: 'C:/x' }],
    ['postgres:env:LANDFORM_DATABASE_URL', { kind: 'postgres', reference: 'env:LANDFORM_DATABASE_URL' }],
    ['kubernetes:gis-state', { kind: 'kubernetes', namespace: 'gis-state' }],
    ['postgres:file:secrets/database', { kind: 'postgres', reference: 'file:secrets/database' }],
  ] as const)('may be %s', (text, location) =>
    expect(parseStateLocation(text)).toEqual({ ok: true, value: location }),
  )

  test.each([
    ['', /not a state location/],
    ['origin', /not a state location/],
    ['gs:bucket', /not a state location/],
    ['file:', /no folder/],
    ['kubernetes:-x', /no valid namespace/],
    ['git:', /no remote/],
    ['git:-x', /dash/],
    ['git:--upload-pack=touch x', /dash/],
    ['git:ext::sh -c true', /program/],
    ['git:fd::17', /program/],
    ['git:EXT::x', /program/],
    ['git:origin\nx', /control/],
    ['git:https://some:one@git.example.org/x', /password/],
    ['postgres:postgres://user:secret@db/x', /must refer to the connection string/],
    ['postgres:env:HOME', /LANDFORM_/],
    ['postgres:file:/etc/passwd', /absolute/],
    ['postgres:file:../x', /leaves/],
  ])('may not be %j', (text, problem) => {
    const parsed = parseStateLocation(text)
    expect(parsed.ok ? 'fits' : parsed.error).toMatch(problem)
  })

  test.each(['git:https://git.example.org/x.git', 'git:../x', 'git:/x', 'git:git@git.example.org:x'])(
    'that a manifest declares may not be %s, which would decide where git connects to',
    text => {
      const parsed = parseDeclaredLocation(text, 'production')
      expect(parsed.ok ? 'fits' : parsed.error).toMatch(/remote of the clone/)
    },
  )

  test('that a manifest declares may contain the name of the site', () => {
    expect(parseDeclaredLocation('file:/var/lib/{name}/{name}', 'production')).toEqual({
      ok: true,
      value: { kind: 'file', folder: '/var/lib/production/production' },
    })
  })
})
