import type { Size } from './real-terminal.js'

/** A moment of an apply at which its screen is read: once it has these words, or at its end. */
export interface Moment {
  readonly when: string
  readonly pattern: RegExp
  /** The width that the terminal takes before. */
  readonly columns?: number
  /** A key that is typed before. */
  readonly key?: string
}

/** An apply in a terminal, and the file of its transcript. */
export interface Showing {
  readonly file: string
  readonly size: Size
  /** Faults of the emulator. */
  readonly faults?: readonly string[]
  readonly moments: readonly Moment[]
}

/** Makes a pattern that finds words also where the terminal broke their line: that depends on the length of a path. */
function wrapped(words: string): RegExp {
  return new RegExp([...words].map(letter => (letter === ' ' ? '(?: |(?=\\n))' : letter)).join('\\n?'))
}

const wholeEnd: Moment = {
  when: 'at the end',
  pattern: wrapped('was verified ready'),
}

/** Every apply that is shown. */
export const showings: readonly Showing[] = [
  {
    file: 'live-80.md',
    size: { columns: 80, rows: 30 },
    moments: [{ when: 'in the middle of it', pattern: /Object store +in progress/ }, wholeEnd],
  },
  {
    file: 'live-40.md',
    size: { columns: 40, rows: 30 },
    moments: [{ when: 'in the middle of it', pattern: /● Object store/ }, wholeEnd],
  },
  {
    file: 'live-short.md',
    size: { columns: 80, rows: 10 },
    moments: [{ when: 'where ten rows are all there are', pattern: /Object store +in progress/ }, wholeEnd],
  },
  {
    file: 'live-resized.md',
    size: { columns: 100, rows: 40 },
    moments: [
      { when: 'at 100 columns', pattern: /Relational store +in progress/ },
      { when: 'at 45 columns', pattern: /● Object store/, columns: 45 },
      { when: 'at 90 columns', pattern: /Usage statistics +in progress/, columns: 90 },
      wholeEnd,
    ],
  },
  {
    file: 'live-trouble.md',
    size: { columns: 80, rows: 30 },
    faults: ['root@Queue store+4s=status:503'],
    moments: [{ when: 'while the site cannot be polled', pattern: /polling fails/ }, wholeEnd],
  },
  {
    file: 'live-suspended.md',
    size: { columns: 80, rows: 30 },
    moments: [
      { when: 'in the middle of it', pattern: /Relational store +in progress/ },
      { when: 'after Ctrl-Z', pattern: /\[stopped\]/, key: 'C-z' },
      { when: 'after fg', pattern: /Usage statistics +in progress/, key: 'Enter' },
      wholeEnd,
    ],
  },
  {
    file: 'live-interrupted.md',
    size: { columns: 80, rows: 30 },
    moments: [
      { when: 'in the middle of it', pattern: /Relational store +in progress/ },
      { when: 'after an interrupt', pattern: wrapped('resume the wait'), key: 'C-c' },
    ],
  },
]
