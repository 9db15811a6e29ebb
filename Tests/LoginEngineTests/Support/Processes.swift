import Foundation

/// Information about processes from `/proc`.
enum Processes {
  /// The running processes that `parent` has started, without zombies and the process starter.
  static func children(of parent: pid_t) -> [pid_t] { all(of: parent).filter { !isStarter($0) } }

  /// The process starter of `parent`.
  static func starters(of parent: pid_t) -> [pid_t] { all(of: parent).filter(isStarter) }

  private static func all(of parent: pid_t) -> [pid_t] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { pid in
      guard let fields = stat(pid), fields.count > 1 else { return false }
      return fields[0] != "Z" && fields[1] == "\(parent)"
    }
  }

  private static func isStarter(_ pid: pid_t) -> Bool { status(pid, ["Name"])[0] == "login-starter" }

  /// The restrictions in `/proc/PID/status`: NoNewPrivs and the mode of seccomp.
  static func fence(of pid: pid_t) -> [String] { status(pid, ["NoNewPrivs", "Seccomp"]) }

  /// The targets of the process's descriptors.
  static func descriptors(of pid: pid_t) -> [String] {
    let folder = "/proc/\(pid)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }.sorted()
  }

  /// The running processes that have an argument ending with `end`.
  static func running(withArgument end: String) -> [pid_t] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { pid in
      let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
      return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self).hasSuffix(end) }
    }
  }

  /// Whether the process exists and is no zombie.
  static func exists(_ pid: pid_t) -> Bool { stat(pid).map { $0.first != "Z" } ?? false }

  /// The processor time that the process has used, in hundredths of a second.
  static func ticks(_ pid: pid_t) -> Int {
    guard let fields = stat(pid), fields.count > 12 else { return 0 }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }

  /// The figure `name` in `/proc/PID/status`, in KiB.
  static func kibibytes(_ pid: pid_t, _ name: String) -> Int { Int(status(pid, [name])[0]) ?? 0 }

  /// The context switches of the main thread, if it sleeps now; `nil` if it runs or is runnable. A
  /// process with the same result twice has slept in between.
  static func switches(ofSleeping pid: pid_t) -> [String]? {
    let figures = status(pid, ["State", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"])
    return figures[0] == "S" ? figures : nil
  }

  /// For each name, the first word after it in `/proc/PID/status`; empty if the file does not have
  /// the name.
  private static func status(_ pid: pid_t, _ names: [String]) -> [String] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n")
    return names.map { name in
      let line = lines.first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.map(String.init) ?? ""
    }
  }

  /// The fields of `/proc/PID/stat` that follow the program's name. They are found after the last
  /// parenthesis, since the name may contain any character.
  private static func stat(_ pid: pid_t) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }
}
