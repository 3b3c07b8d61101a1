/** `test` where what it needs is here; elsewhere one that is skipped, and whose name says what to install. */
export function testWhere(isHere: boolean, packages: string) {
  return (name: string, run: () => Promise<void>) =>
    isHere ? test(name, run) : test.skip(`${name} (install ${packages})`, run)
}

/** The same for `describe`. */
export function describeWhere(isHere: boolean, packages: string) {
  return (name: string, define: () => void) =>
    isHere ? describe(name, define) : describe.skip(`${name} (install ${packages})`, define)
}
