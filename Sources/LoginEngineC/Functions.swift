// The functions that login_engine.h declares and documents. The compiler checks their names and
// signatures against this header. swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CLoginEngine

@c @implementation
public func login_engine_api_version() -> UInt32 { 1 }

// MARK: Life cycle

@c @implementation
public func login_engine_create(
  _ options: UnsafePointer<CChar>?, _ optionsLength: Int, _ steady: UInt64, _ utc: UInt64,
  _ engine: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error) { () throws(Failure) in
    let result = try Arguments.result(engine, "engine")
    let options = try LibraryOptions(parsing: Arguments.text(options, optionsLength, "options"))
    let made = HostedEngine(options, steady: steady, utc: utc)
    result.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
  }
}

@c @implementation
public func login_engine_destroy(_ engine: OpaquePointer?) {
  if let engine { Unmanaged<HostedEngine>.fromOpaque(UnsafeRawPointer(engine)).release() }
}

// MARK: Input

@c @implementation
public func login_engine_feed(
  _ engine: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ length: Int, _ taken: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    let result = try Arguments.result(taken, "number of bytes taken")
    let bytes = try Arguments.text(bytes, length, "bytes")
    result.pointee = try Arguments.engine(engine).feed(bytes)
  }
}

@c @implementation
public func login_engine_end_input(
  _ engine: OpaquePointer?, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in try Arguments.engine(engine).endInput() }
}

@c @implementation
public func login_engine_advance(
  _ engine: OpaquePointer?, _ steady: UInt64, _ utc: UInt64, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    try Arguments.engine(engine).advance(steady: steady, utc: utc)
  }
}

@c @implementation
public func login_engine_answer(
  _ engine: OpaquePointer?, _ authenticator: UnsafePointer<CChar>?, _ authenticatorLength: Int,
  _ line: UnsafePointer<CChar>?, _ lineLength: Int, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    let name = try Arguments.text(authenticator, authenticatorLength, "authenticator")
    let line = try Arguments.answer(line, lineLength)
    try Arguments.engine(engine).answer(line, from: name)
  }
}

@c @implementation
public func login_engine_fail(
  _ engine: OpaquePointer?, _ authenticator: UnsafePointer<CChar>?, _ authenticatorLength: Int,
  _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    let name = try Arguments.text(authenticator, authenticatorLength, "authenticator")
    try Arguments.engine(engine).fail(name)
  }
}

// MARK: Output

@c @implementation
public func login_engine_drain_output(
  _ engine: OpaquePointer?, _ lines: UnsafeMutablePointer<login_engine_text>?,
  _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error) { () throws(Failure) in
    // Wipe the former text before lending: the text that is lent now must stay.
    Arguments.takeBack(from: engine)
    let result = try Arguments.result(lines, "lines")
    result.pointee = login_engine_text(try Arguments.engine(engine).drainOutput())
  }
}

@c @implementation
public func login_engine_drain_effects(
  _ engine: OpaquePointer?, _ lines: UnsafeMutablePointer<login_engine_text>?,
  _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error) { () throws(Failure) in
    // Wipe the former text before lending: the text that is lent now must stay.
    Arguments.takeBack(from: engine)
    let result = try Arguments.result(lines, "lines")
    result.pointee = login_engine_text(try Arguments.engine(engine).drainEffects())
  }
}

@c @implementation
public func login_engine_next_deadline(
  _ engine: OpaquePointer?, _ steady: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    let result = try Arguments.result(steady, "deadline")
    result.pointee = try Arguments.engine(engine).nextDeadline ?? .max
  }
}

@c @implementation
public func login_engine_is_finished(
  _ engine: OpaquePointer?, _ finished: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<login_engine_error>?
) -> login_engine_status {
  attempt(error, endingLoanOf: engine) { () throws(Failure) in
    let result = try Arguments.result(finished, "answer")
    result.pointee = try Arguments.engine(engine).isFinished ? 1 : 0
  }
}
