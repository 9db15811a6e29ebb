/// The pipes of a child that is being started. They are closed when this object is released, unless
/// `takeOwnEnds` was called.
final class ChildPipes {
  typealias Ends = (read: Int32, write: Int32)

  let input: Ends
  let output: Ends
  private let error: Ends?
  private var ownsAll = true

  /// The destination of the child's standard error.
  var errorWrite: Int32 { error?.write ?? 2 }

  init(_ standardError: ChildProcess.StandardError) throws(SystemError) {
    var open: [Ends] = []
    do throws(SystemError) {
      for _ in 0..<(standardError == .piped ? 3 : 2) { open.append(try Descriptor.pipe()) }
      try Descriptor.setNonblocking(open[0].write)
      for ends in open.dropFirst() { try Descriptor.setNonblocking(ends.read) }
    } catch {
      for ends in open { Self.close(ends) }
      throw error
    }
    (input, output) = (open[0], open[1])
    error = open.count > 2 ? open[2] : nil
    Descriptor.enlargePipe(input.write)
    Descriptor.enlargePipe(output.read)
  }

  deinit {
    guard ownsAll else { return }
    Self.close(input)
    Self.close(output)
    if let error { Self.close(error) }
  }

  /// Closes the child's ends of the pipes and returns this process's ends.
  func takeOwnEnds() -> (input: Int32, output: Int32, error: Int32?) {
    ownsAll = false
    Descriptor.close(input.read)
    Descriptor.close(output.write)
    if let error { Descriptor.close(error.write) }
    return (input.write, output.read, error?.read)
  }

  private static func close(_ ends: Ends) {
    Descriptor.close(ends.read)
    Descriptor.close(ends.write)
  }
}
