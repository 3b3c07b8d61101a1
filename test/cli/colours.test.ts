import { hasColors } from '../../src/cli/terminal/output.js'

test.each([
  [{}, true],
  [{ NO_COLOR: '' }, true],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '', TERM: 'dumb' }, false],
  [{ FORCE_COLOR: '0' }, false],
])('a terminal with %j has colours: %s', (environment, expected) => {
  expect(hasColors({ TERM: 'xterm-256color', ...environment })).toBe(expected)
})
