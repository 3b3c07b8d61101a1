/** Splits a list of texts without spaces. */
export const words = (list: string) => list.trim().split(/\s+/)

/** Service names that would change or end the path of a request, or disguise themselves. */
export const hostileNames: readonly string[] = [
  ...words(`
    . .. .GPServer ..GPServer ../x.GPServer ../../system/reset?x=.GPServer
    Foo.GPServer/../../../system/reset?x=.GPServer a/../b.GPServer a/b/c.GPServer /b.GPServer a//b.GPServer
    a/.GPServer a%2fb.GPServer a%2Fb.GPServer a%252fb.GPServer %2e%2e.GPServer a?b.GPServer a#b.GPServer
    a;b.GPServer a:b.GPServer a@b.GPServer a&b.GPServer a=b.GPServer a+b.GPServer -a.GPServer *.GPServer
    .a.GPServer a/.b.GPServer a/...GPServer ．．.GPServer a／b.GPServer Roads Roads. Roads.MapServer
    Roads.gpserver Roads.GPServer/ Roads.GPServer?f=json Roads.GPServer/webhooks Roads.constructor
  `),
  '',
  'a\\b.GPServer',
  'a\n.GPServer',
  'a\r\nHost: evil.GPServer',
  'a\t.GPServer',
  'a\0.GPServer',
  ' a.GPServer',
  'a\u200b.GPServer',
  'a\u2800b.GPServer',
  'a\u00a0b.GPServer',
  '\u0301a.GPServer',
  'a\u202e.GPServer',
  'Roads.GPServer ',
  `${'a'.repeat(121)}.GPServer`,
]
