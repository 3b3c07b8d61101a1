import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// As its main file does, which loads four times as much and puts its own agent in place for a program's `fetch`, too.
Object.assign(Dispatcher.prototype, { connect, request })

export { buildConnector, Client }
