import CSystem
import Glibc

/// Converts strings to the form that `execve(2)` takes.
enum ArgumentVector {
  /// Calls `body` with C strings and a terminating `nil`. Fails with EINVAL if a string contains a
  /// NUL, where C would cut it off.
  static func with<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(SystemError) -> R
  ) throws(SystemError) -> R {
    guard !strings.contains(where: { $0.utf8.contains(0) }) else { throw SystemError(call: "exec", number: EINVAL) }
    let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { (vector + index).initialize(to: strdup(string)) }
    (vector + strings.count).initialize(to: nil)
    defer {
      for index in strings.indices { free(vector[index]) }
      vector.deallocate()
    }
    return try body(vector)
  }

  /// This process's environment with some variables set or replaced, as `NAME=value`.
  static func environment(adding additions: [String: String]) -> [String] {
    var entries: [String] = []
    var next = csystem_environment()
    while let entry = next?.pointee {
      let text = String(cString: entry)
      let name = text.prefix { $0 != "=" }
      if additions[String(name)] == nil { entries.append(text) }
      next = next.map { $0 + 1 }
    }
    return entries + additions.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
