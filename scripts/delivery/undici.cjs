// Stands in for the package of this name in the bundles: of the whole, which takes 60 ms to load, the program uses these.
module.exports = {
  Client: require('../../node_modules/undici/lib/dispatcher/client.js'),
  buildConnector: require('../../node_modules/undici/lib/core/connect.js'),
}
