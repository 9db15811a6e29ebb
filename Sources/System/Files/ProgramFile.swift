import CSystem

/// The file of a program that is started several times. It is kept open, so that every start runs the same file: an upgrade, which puts another
/// in its place, changes nothing before this process ends.
public final class ProgramFile: Sendable {
  let path: String
  /// -1 if the file cannot be opened; then the path is run, which says why.
  let descriptor: Int32

  public init(_ path: String) {
    self.path = path
    descriptor = csystem_open_program(path)
  }

  deinit { if descriptor >= 0 { Descriptor.close(descriptor) } }
}
