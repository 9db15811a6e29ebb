import Foundation
import TestSupport

/// A folder in which examples run as for a user who has just built the project. It contains the
/// programs, the documents, and stand-ins for programs that a test cannot run and for the reader's
/// own programs.
struct Workshop {
  let folder: TemporaryDirectory
  private let standIns: String
  private static let programs = (Replay.executable as NSString).deletingLastPathComponent

  init() throws {
    folder = try TemporaryDirectory()
    standIns = folder.file("stand-ins")
    let files = FileManager.default
    for path in [".build", "stand-ins", "home"] {
      try files.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(atPath: folder.file(".build/release"), withDestinationPath: Self.programs)
    for path in ["protocol", "clients"] {
      try files.createSymbolicLink(atPath: folder.file(path), withDestinationPath: Example.root + "/" + path)
    }
    for (name, text) in Self.texts {
      _ = try folder.writeProgram("#!/bin/bash\n" + text + "\n", to: "stand-ins/" + name)
    }
    if let file = WrittenLines.newPath(.engineToFrontend) {
      _ = try folder.writeProgram(
        "#!/bin/bash\n" + Self.keepingLines(in: file) + "\n", to: "stand-ins/login-engine")
    }
  }

  /// A stand-in for the engine that runs the engine and keeps its output for the schema check. The
  /// output of subcommands and output for people are not kept.
  private static func keepingLines(in file: String) -> String {
    """
    case "${1---} $*" in
      *--help* | *--version*) ;;
      -*) exec '\(Replay.executable)' "$@" > >(exec tee "\(file.dropLast(".jsonl".count))-$$.jsonl") ;;
    esac
    exec '\(Replay.executable)' "$@"
    """
  }

  /// The scripts of the stand-ins. The stand-in for `apt-get` compares the packages with those that
  /// the project names, and the stand-in for `swift` does nothing, because everything is built.
  private static let texts = [
    "sudo": #"exec "$@""#,
    "apt-get": """
    [ "$1" = update ] && exit
    [ "$1 $2" = 'install -y' ] && shift 2 || exit
    cd '\(Example.root)'
    named() { grep -rhoE '[a-z0-9]+-dev\\b' "$@"; }
    diff <(printf '%s\\n' "$@" | sort) <({ [ "$*" = libssl-dev ] && named Tests/CSoftwareKeys || { named Package.swift Sources/C*; echo jq; }; } | sort -u) >&2
    """,
    "swift": #"[ "$*" = 'build -c release' ] || [ "$*" = 'test' ]"#,
    "other-engine": #"[ "$1" = --some-option ] && shift && exec login-engine "$@""#,
    "ssh": #"[ "$1" = directory ] && shift && exec "$@""#,
  ]

  var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "PATH": [standIns, Self.programs, path].joined(separator: ":"), "HOME": folder.file("home"), "LC_ALL": "C.UTF-8",
      "TMPDIR": folder.path, "TERM": "xterm", "NO_COLOR": "1",
    ]
  }

  /// Runs commands in this folder; any failing command ends them. Returns their output, including
  /// standard error.
  func run(_ commands: String, input: String = "") throws -> (status: Int32, output: String) {
    let script = try folder.write("exec 2>&1\ncd '\(folder.path)'\n" + commands + "\n", to: "stand-ins/commands")
    let names = environment.map { "\($0)=\($1)" }
    let program = try Program(
      ["-i"] + names + ["timeout", "-k", "2", "600", "bash", "-eo", "pipefail", script], input: [(input, 0)],
      executable: "/usr/bin/env")
    return (program.status, program.text)
  }
}

extension Example {
  /// Checks that the commands print the documented output, or succeed if none is documented.
  func prints() throws {
    // If Python is not installed, examples that use it run only in `.ci/run`, which installs
    // Python.
    if usesPython, try !Program.hasPython() { return }
    let workshop = try Workshop()
    let setting = Setting.of(self)
    try prepare(workshop, setting)
    if let keys = setting?.keys {
      try Terminal.run(text, keys: keys, in: workshop)
    } else {
      let (status, output) = try workshop.run(text, input: setting?.input ?? "")
      if let printed {
        guard output == printed + "\n" else { throw Deviation("it prints\n\(output)") }
      } else if status != 0 {
        throw Deviation("it ends with status \(status):\n\(output)")
      }
      _ = try workshop.folder.write(output, to: "output")
    }
    if let after = setting?.after {
      let check = try workshop.run("set -x\n" + after)
      if check.status != 0 { throw Deviation(check.output) }
    }
  }

  private var usesPython: Bool { text.contains(".py") || text.contains("python3") }

  func prepare(_ workshop: Workshop, _ setting: Setting?) throws {
    guard let before = setting?.before else { return }
    let preparation = try workshop.run(before)
    if preparation.status != 0 { throw Deviation(preparation.output) }
  }
}

extension Program {
  static func hasPython() throws -> Bool {
    try Program(["-c", "python3 -c 1"], executable: "/bin/sh").status == 0
  }
}
