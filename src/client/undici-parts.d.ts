// The types that undici has for its whole, for the files of it that are loaded.
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici'

  const client: typeof Client
  export = client
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import type { Dispatcher } from 'undici'

  const dispatcher: typeof Dispatcher
  export = dispatcher
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici'

  const connector: typeof buildConnector
  export = connector
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  const connect: Dispatcher['connect']
  export = connect
}
