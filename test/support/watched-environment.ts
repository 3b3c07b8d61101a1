/** Returns an environment that records which variables are read. Listing them counts as reading all. */
export function watchedEnvironment(variables: Readonly<Record<string, string>>) {
  const asked = new Set<string>()
  const note = (name: string | symbol) => {
    asked.add(String(name))
  }
  const environment = new Proxy(variables, {
    get(target, name) {
      note(name)
      return Reflect.get(target, name)
    },
    has(target, name) {
      note(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      note(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      for (const name of Object.keys(target)) note(name)
      return Reflect.ownKeys(target)
    },
  })
  return { environment, asked }
}
