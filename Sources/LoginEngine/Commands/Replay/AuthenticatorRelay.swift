import Glibc
import SecretMemory
import System

/// The authenticator process that an engine under replay starts. It passes its standard input and
/// output to the replayer, which then communicates with the engine directly.
///
/// The process stays alive, so that the engine sees it exit only where the transcript's
/// authenticator exits.
public enum AuthenticatorRelay {
  /// The subcommand's name.
  public static let command = "replay-authenticator"

  /// Runs with the argument after the subcommand's name: the name of the replayer's socket. Returns
  /// the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Hardening.applySignals()
    guard let name = arguments.first, arguments.count == 1 else { return 2 }
    do throws(SystemError) {
      let socket = try LocalSocket.connect(name)
      try LocalSocket.send(0, 1, through: socket)
      Descriptor.close(0)
      Descriptor.close(1)
      // The byte tells the replayer that this process has closed its own descriptors of the pipes.
      var byte: UInt8 = 0
      _ = withUnsafeBytes(of: byte) { Descriptor.write(socket, $0) }
      while read(socket, &byte, 1) < 0, errno == EINTR {}
      return 0
    } catch {
      return 1
    }
  }
}
