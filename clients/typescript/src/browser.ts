// For browsers: a login through the bridge, and the types of external items that browsers support.

export { BridgeLogin, type BridgeOptions, type ConnectionState } from "./bridge.js";
export { ConnectionLost, EngineError } from "./client.js";
export { externalTypes, offerPasskey, runExternal, stopExternal } from "./external.js";
export { findItem, itemsOf, primaryOf } from "./model.js";
export { LoginSession } from "./session.js";
export * from "./wire.js";
