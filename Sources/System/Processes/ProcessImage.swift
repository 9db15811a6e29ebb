import CSystem
import Glibc

/// The program that this process runs.
public enum ProcessImage {
  /// Sets the name of this process in process lists; only the first 15 bytes count.
  public static func setName(_ name: String) { csystem_set_process_name(name) }

  /// Replaces this program by another, with the same standard streams and environment. Returns only
  /// if that fails.
  ///
  /// - Parameter arguments: all words of the new command line, the name of the program first.
  public static func replace(with path: String, arguments: [String]) -> SystemError {
    // An ignored signal would stay ignored in the new program.
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
