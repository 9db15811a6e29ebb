import CSystem
import Glibc

/// The program that this process runs.
public enum ProcessImage {
  /// Sets what the system's lists of processes call this one; only the first 15 bytes count.
  public static func setName(_ name: String) { csystem_set_process_name(name) }

  /// Runs another program in the place of this one, with the same standard streams and environment. Returns only if that fails.
  ///
  /// - Parameter arguments: all of them, the name of the program first.
  public static func replace(with path: String, arguments: [String]) -> SystemError {
    // What is ignored stays ignored in the new program, which did not ask for it.
    signal(SIGPIPE, SIG_DFL)
    do throws(SystemError) {
      return try ArgumentVector.with(arguments) { vector throws(SystemError) in
        execv(path, vector)
        return .last("exec")
      }
    } catch {
      return error
    }
  }
}
