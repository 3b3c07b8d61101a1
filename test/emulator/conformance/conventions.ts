import { once } from 'node:events'
import { connect } from 'node:net'
import type { Service } from './ask.js'
import { accepts, answers, expectErrorBody, holds, isAbsent, refuses } from './cases.js'
import { configure, exportSite, license, lookAtRoot, operations, ready, update } from './requests.js'
import type { Section } from './sentence.js'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
// A boundary for which the platform's parser also accepts an end of the part without its dashes.
const boundary = '------------------------d74496d66958873e'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** Sends a request byte for byte, without an HTTP client. */
async function exchange({ url }: Service, head: string, body: string): Promise<string> {
  const { host, port, pathname } = new URL(url)
  const [line = '', ...headers] = head.split('\n')
  const request = [
    line.replace('BASE', pathname),
    `Host: ${host}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  const socket = connect(Number(port), '127.0.0.1')
  let answered = ''
  socket.setEncoding('utf8').on('data', chunk => {
    answered += chunk
  })
  socket.end(`${request.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'close')
  return answered
}

function handwritten(values: object): string {
  const parts = Object.entries(values).map(([name, value]) => {
    const file = value instanceof File ? '; filename="license.json"' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${file === '' ? value : '{}'}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

/** The paragraphs before section 1. */
export const conventions: Section = {
  section: '0',
  title: 'conventions',
  sentences: [
    {
      says: 'there are four operations: exporting, deleting webhooks, configuring, updating the upgrade policy',
      shown: [
        ...operations.map(
          ([name, request, given]) => [`${name} answers`, accepts(request(), given)] as const,
        ),
        ['no other path answers', isAbsent({ path: '/restoreSite', form: { f: 'json' } }, {})],
        ['a path in other capitals is another', isAbsent({ ...exportSite(), path: '/exportsite' }, {})],
        [
          'a path with a slash at the end is another',
          isAbsent({ ...exportSite(), path: '/exportSite/' }, {}),
        ],
      ],
    },
    {
      says: 'this is the only document, and it covers everything',
      notShown: 'a sentence about the document and not about the service',
    },
    {
      says: '{base_url} is the address of the service',
      shown: [
        ['it may have any path', accepts(configure(), { basePath: '/gis/admin' })],
        ['it may have no path', accepts(configure(), { basePath: '/' })],
        [
          'the paths outside it do not belong to the service',
          holds({ basePath: '/gis/admin' }, async ({ url }) => {
            const answer = await fetch(`${new URL(url).origin}/exportSite`, { method: 'POST' })
            expect(answer.status).toBe(404)
          }),
        ],
      ],
    },
    {
      says: 'every operation is requested with POST',
      shown: operations.flatMap(([name, request, given]) =>
        ['GET', 'PUT', 'PATCH', 'DELETE'].map(method => {
          const { path } = request()
          return [`${name} refuses ${method}`, refuses({ path, method }, given)] as const
        }),
      ),
    },
    {
      says: 'bodies are form-encoded, except that of configure, which is multipart form data',
      shown: [
        ...operations.flatMap(([name, request, given]) => {
          const { path, form: fields, multipart: parts } = request()
          const values = fields ?? { ...parts, licenseFile: 'text' }
          const other = fields === undefined ? { path, form: values } : { path, multipart: values }
          return [
            [`${name} refuses the other encoding`, refuses(other, given)] as const,
            [`${name} refuses a JSON body`, refuses({ path, text: '{}', headers: json }, given)] as const,
            [`${name} refuses plain text`, refuses({ path, text: 'location=/b' }, given)] as const,
            name === 'deleteAll'
              ? ([`${name} needs no body, as it requires no parameter`, accepts({ path }, given)] as const)
              : ([`${name} refuses to have no body`, refuses({ path }, given)] as const),
            [
              `${name} refuses its parameters in the address`,
              refuses({ ...request(), path: `${path}?f=json` }, given),
            ] as const,
          ]
        }),
        [
          'a form written by hand is read, with its plus signs and percents',
          holds({}, async service => {
            const head = `POST BASE/exportSite HTTP/1.1\ncontent-type: ${form['content-type']}`
            const answered = await exchange(service, head, 'location=%2Fmy+back%75ps&f=json')
            expect(answered).toMatch(/^HTTP\/1\.1 200 [\s\S]*"location":"\/my backups\//)
          }),
        ],
        [
          'multipart form data written by hand is read',
          holds({}, async service => {
            const head = `POST BASE/configure HTTP/1.1\ncontent-type: ${multipart['content-type']}`
            const values = { ...configure().multipart, licenseFile: license }
            expect(await exchange(service, head, handwritten(values))).toMatch(/"state":"in_progress"/)
          }),
        ],
        [
          'a charset in the form encoding changes nothing',
          accepts({
            path: '/exportSite',
            text: 'location=/b',
            headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' },
          }),
        ],
        [
          'broken multipart form data is rejected',
          holds({}, async ({ ask }) => {
            for (const text of [
              '',
              'rubbish',
              '--B\r\n',
              '--B--',
              '--B\r\n\r\nx\r\n--B--\r\n',
              '--other--\r\n',
            ])
              expectErrorBody(
                await ask({ path: '/configure', text: text.replaceAll('B', boundary), headers: multipart }),
              )
          }),
        ],
      ],
    },
    {
      says: 'f selects the format of the response',
      shown: [
        ['the root resource has it as well', answers({ ...lookAtRoot, path: '?f=pjson' }, expect.anything())],
        ['also when it is requested with POST', accepts({ path: '', form: { f: 'pjson' } })],
        ['any other value is accepted', accepts({ ...lookAtRoot, path: '?f=html' })],
        [
          'an error body is pretty-printed as well',
          holds(ready, async ({ ask }) => {
            expect((await ask(update({ f: 'pjson', upgradeConfig: undefined }))).text).toMatch(
              /^\{\n {2}"error"/,
            )
          }),
        ],
      ],
    },
  ],
}
