/** Returns `test` if the requirements are available, otherwise a skipped test whose name tells what to install. */
export function testWhere(isHere: boolean, packages: string) {
  return (name: string, run: () => Promise<void> | void) =>
    isHere ? test(name, run) : test.skip(`${name} (install ${packages})`, run)
}

/** Returns `describe`, likewise. */
export function describeWhere(isHere: boolean, packages: string) {
  return (name: string, define: () => void) =>
    isHere ? describe(name, define) : describe.skip(`${name} (install ${packages})`, define)
}
