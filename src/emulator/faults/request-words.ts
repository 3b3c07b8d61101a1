import { durationPattern, parseDurationMs } from '../../schema/fields.js'
import type { Fault, FaultPoint } from './fault.js'
import type { Words } from './words.js'

/** A size such as `200`, `64KiB` or `8MiB`, as a pattern. */
const sizePattern = String.raw`\d{1,9}(?:KiB|MiB|GiB)?`

const unitsBytes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Parses a text that matches `size` into bytes. */
function parseSize(text: string): number {
  return Number.parseInt(text, 10) * (unitsBytes[text.replace(/^\d+/, '')] ?? 1)
}

const point = '(?<point>-before|-after)'
const optional = `${point}?`

/** The notation of each request fault. If the point is omitted, the request is not carried out. */
export const requestWords: Words<Fault> = {
  delay: {
    form: 'delay[-after]:TIME',
    meaning: 'delays the request, or the answer',
    pattern: `${optional}:(?<time>${durationPattern})`,
    make: ({ time = '', ...rest }) => ({ kind: 'delay', point: readPoint(rest), ms: parseDurationMs(time) }),
  },
  drop: {
    form: 'drop-before or drop-after',
    meaning: 'closes the connection without a response',
    pattern: point,
    make: groups => ({ kind: 'drop', point: readPoint(groups) }),
  },
  reset: {
    form: 'reset-before or reset-after',
    meaning: 'resets the connection without a response',
    pattern: point,
    make: groups => ({ kind: 'reset', point: readPoint(groups) }),
  },
  hang: {
    form: 'hang-before or hang-after',
    meaning: 'never answers',
    pattern: point,
    make: groups => ({ kind: 'hang', point: readPoint(groups) }),
  },
  html: {
    form: 'html[-after][:STATUS]',
    meaning: 'responds with a web page instead of JSON',
    pattern: `${optional}(?::(?<status>[2-5]\\d\\d))?`,
    make: ({ status = '200', ...rest }) => ({
      kind: 'html',
      point: readPoint(rest),
      httpStatus: Number(status),
    }),
  },
  status: {
    form: 'status[-after]:STATUS[,retry-after:SECONDS][,json or ,empty]',
    meaning:
      'responds with a status of 400 or more and the page of a gateway, an error body, or an empty one',
    pattern: `${optional}:(?<status>[45]\\d\\d)(?:,retry-after:(?<seconds>\\d{1,6}))?(?:,(?<body>json|empty))?`,
    make: ({ status, seconds, body, ...rest }) => ({
      kind: 'status',
      point: readPoint(rest),
      httpStatus: Number(status),
      body: body === 'json' || body === 'empty' ? body : 'page',
      ...(seconds !== undefined && { retryAfter: Number(seconds) }),
    }),
  },
  error: {
    form: 'error[-after]:CODE[,message:TEXT]',
    meaning: 'responds with an error body and status 200',
    pattern: `${optional}:(?<code>\\d{1,6})(?:,message:(?<text>[\\s\\S]*))?`,
    make: ({ code, text = 'The request failed.', ...rest }) => ({
      kind: 'error',
      point: readPoint(rest),
      code: Number(code),
      message: text,
    }),
  },
  redirect: {
    form: 'redirect[-after]:STATUS[,location:PATH]',
    meaning: 'redirects to a path or an address on this machine',
    pattern: `${optional}:(?<status>30[1-378])(?:,location:(?<location>[!-~]+))?`,
    make: ({ status, location = '/login', ...rest }) =>
      isOnThisMachine(location)
        ? { kind: 'redirect', point: readPoint(rest), httpStatus: Number(status), location }
        : undefined,
  },
  duplicate: {
    form: 'duplicate-first or duplicate-second',
    meaning: 'carries the request out twice and sends one of the responses',
    pattern: '-(?<answer>first|second)',
    make: ({ answer }) => ({ kind: 'duplicate', answer: answer === 'first' ? 'first' : 'second' }),
  },
  truncate: {
    form: 'truncate:BYTES',
    meaning: 'closes the connection after this much of the body',
    pattern: `:(?<size>${sizePattern})`,
    make: ({ size = '' }) => ({ kind: 'truncate', bytes: parseSize(size) }),
  },
  slow: {
    form: 'slow:BYTES',
    meaning: 'sends this much of the body per second',
    pattern: `:(?<size>${sizePattern})`,
    make: ({ size = '' }) => ({ kind: 'slow', bytesPerSecond: Math.max(1, parseSize(size)) }),
  },
  length: {
    form: 'length:+BYTES or length:-BYTES',
    meaning: 'announces a wrong length',
    pattern: ':(?<by>[-+]\\d{1,9})',
    make: ({ by }) => ({ kind: 'length', by: Number(by) }),
  },
  garbage: {
    form: 'garbage',
    meaning: 'sends a body that is not JSON',
    pattern: '',
    make: () => ({ kind: 'garbage' }),
  },
  'wrong-shape': {
    form: 'wrong-shape',
    meaning: 'sends JSON of another shape',
    pattern: '',
    make: () => ({ kind: 'wrong-shape' }),
  },
  huge: {
    form: 'huge:BYTES',
    meaning: 'sends a body of this size, such as 1GiB',
    pattern: `:(?<size>${sizePattern})`,
    make: ({ size = '' }) => ({ kind: 'huge', bytes: parseSize(size) }),
  },
  interim: {
    form: 'interim:COUNT[,every:TIME]',
    meaning: 'sends this many interim responses first',
    pattern: `:(?<count>\\d{1,9})(?:,every:(?<time>${durationPattern}))?`,
    make: ({ count, time = '0ms' }) => ({
      kind: 'interim',
      count: Number(count),
      everyMs: parseDurationMs(time),
    }),
  },
}

/** True for a path and for an address on this machine: the emulator never redirects to another one. */
export function isOnThisMachine(location: string): boolean {
  const base = 'http://127.0.0.1/'
  if (!URL.canParse(location, base)) return false
  const { protocol, hostname } = new URL(location, base)
  return /^https?:$/.test(protocol) && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

function readPoint({ point }: Readonly<Record<string, string | undefined>>): FaultPoint {
  return point === '-after' ? 'after' : 'before'
}
