import CSystem

/// The file of a program that is started several times. It stays open, so that every start runs the
/// same file even after an upgrade has replaced it.
public final class ProgramFile: Sendable {
  let path: String
  /// The descriptor of the open file; -1 if the file cannot be opened. In that case the program is
  /// started by its path, so that the start fails with the system's error.
  let descriptor: Int32

  public init(_ path: String) {
    self.path = path
    descriptor = csystem_open_program(path)
  }

  deinit { if descriptor >= 0 { Descriptor.close(descriptor) } }
}
