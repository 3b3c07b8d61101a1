import type { Answer, Ask, Given, OpenService, Service, Value, Values } from './ask.js'
import { startService, withService } from './ask.js'
import { lookAtRoot } from './requests.js'
import type { Case } from './sentence.js'

const json = 'application/json; charset=utf-8'

type Holds = () => Promise<void>

/** A case that starts the service and runs `use`. */
export function holds(given: Given, use: (service: Service) => Promise<void>): Holds {
  return () => withService(given, use)
}

/** A case in which the response is 200 with JSON that is no error body and matches `expected`. */
export function answers(request: Ask, expected: unknown, given: Given = {}): Holds {
  return holds(given, async ({ ask }) => {
    const answer = await ask(request)
    expect(answer).toMatchObject({ httpStatus: 200, contentType: json })
    expect(answer.body).not.toHaveProperty('error')
    expect(answer.body).toEqual(expected)
  })
}

/** A case in which the request is accepted. */
export function accepts(request: Ask, given: Given = {}): Holds {
  return answers(request, expect.anything(), given)
}

const asItStarts: Given = {}

interface Unchanged {
  readonly service: OpenService
  /** Its root resource at the start, which must not change. */
  readonly root: Answer
}

/** Services that have rejected every request so far, by their start: they are unchanged, and used again. */
const unchanged = new Map<Given, Unchanged>()

/** Closes the services; for `afterAll`. */
export async function closeUnchanged(): Promise<void> {
  await Promise.all([...unchanged.values()].map(({ service }) => service.close()))
  unchanged.clear()
}

/** A case with an error body that names a changed parameter, and an unchanged root resource. Service §2.2. */
export function refuses(request: Ask, given = asItStarts): Holds {
  return async () => {
    const known = unchanged.get(given) ?? (await startUnchanged(given))
    unchanged.delete(given)
    try {
      await expectRefusal(known, request)
    } catch (error) {
      await known.service.close()
      throw error
    }
    unchanged.set(given, known)
  }
}

async function startUnchanged(given: Given): Promise<Unchanged> {
  const service = await startService(given)
  return { service, root: await service.ask(lookAtRoot) }
}

async function expectRefusal({ service: { ask }, root }: Unchanged, request: Ask): Promise<void> {
  const answer = await ask(request)
  expectErrorBody(answer)
  // Otherwise a request could be rejected for another reason, and the case would show nothing.
  const { changed = [] } = request
  if (changed.length > 0) expect(changed.filter(name => answer.text.includes(name))).not.toEqual([])
  expect(await ask(lookAtRoot)).toEqual(root)
}

export function expectErrorBody({ body, contentType }: Answer): void {
  expect(contentType).toBe(json)
  expect(body).toEqual({
    error: { code: expect.any(Number), message: expect.stringMatching(/\S/), details: null },
  })
  expect(Number.isInteger((body as { error: { code: number } }).error.code)).toBe(true)
}

/** A case in which a path that this version lacks is answered, for any request, exactly like one of no version. */
export function isAbsent(request: Ask, given: Given): Holds {
  const { path } = request
  return holds(given, async ({ ask }) => {
    for (const asked of [request, { path, method: 'GET' }, { path, text: 'rubbish' }]) {
      const answer = await ask(asked)
      expectErrorBody(answer)
      expect(answer.httpStatus).toBe(404)
      expect(answer).toEqual(await ask({ ...asked, path: '/no/such/path' }))
    }
  })
}

/** A case in which a parameter that this version lacks is answered exactly like one of no version, except for its name. */
export function isUnknown(name: string, request: (name: string) => Ask, given: Given): Holds {
  return holds(given, async ({ ask }) => {
    const answer = await ask(request(name))
    expectErrorBody(answer)
    const stranger = 'x'.repeat(name.length)
    const other = await ask(request(stranger))
    expect(answer.text.replaceAll(name, stranger)).toBe(other.text)
    expect(answer.httpStatus).toBe(other.httpStatus)
  })
}

/** A parameter, for the cases that all parameters share. */
export interface ParameterRow {
  readonly name: string
  readonly good: Value
  readonly required: boolean
  readonly json?: 'object' | 'array'
  readonly request: (changes: Values) => Ask
  readonly given?: Given
}

export function parameter({ name, good, required, json: wanted, request, given }: ParameterRow): Case[] {
  const taken = (value: Value | readonly Value[] | undefined) => accepts(request({ [name]: value }), given)
  const refused = (value: Value | readonly Value[] | undefined) => refuses(request({ [name]: value }), given)
  const wrongTypes = { null: 'null', 'a number': '1', 'a string': '"{}"', true: 'true' }
  const wrong = { ...wrongTypes, ...(wanted === 'object' ? { 'an array': '[]' } : { 'an object': '{}' }) }
  const multipart = request({}).multipart !== undefined
  return [
    ['is accepted', taken(good)],
    required ? ['is required', refused(undefined)] : ['may be omitted', taken(undefined)],
    ['is rejected when sent twice', refused([good, good])],
    ...(multipart && typeof good === 'string'
      ? [['is rejected as a file', refused(new File([good], 'value'))] as const]
      : []),
    ...(good instanceof File
      ? [
          ['is rejected as text', refused('text')] as const,
          ['is rejected when empty', refused(new File([], 'empty'))] as const,
        ]
      : []),
    ...(required && typeof good === 'string' ? [['is rejected when empty', refused('')] as const] : []),
    ...(wanted === undefined
      ? []
      : [
          ['is rejected when it is not JSON', refused('{not: json}')] as const,
          ['is rejected when it is cut off', refused((good as string).slice(0, -1))] as const,
          ['is rejected when it is empty text', refused('')] as const,
          ...Object.entries(wrong).map(
            ([type, text]) => [`is rejected when it is ${type}`, refused(text)] as const,
          ),
        ]),
  ]
}

/** Cases for the parameter `f` of one operation. Service §4.0. */
export function format(request: (changes: Values) => Ask, given: Given = {}): Case[] {
  return [
    ...parameter({ name: 'f', good: 'json', required: false, request, given }),
    [
      'json is one line, pjson many, and both have the same content',
      async () => {
        const texts: string[] = []
        for (const f of ['json', 'pjson'])
          await withService(given, async ({ ask }) => {
            texts.push((await ask(request({ f }))).text)
          })
        const [compact = '', pretty = ''] = texts
        expect(compact).not.toContain('\n')
        expect(pretty).toMatch(/^\{\n {2}"/)
        expect(JSON.parse(pretty)).toEqual(JSON.parse(compact))
      },
    ],
    ...['html', 'JSON', ''].map(
      f =>
        [
          `"${f}" is accepted, since no list of values is documented`,
          accepts(request({ f }), given),
        ] as const,
    ),
  ]
}
