import Foundation

/// What `/proc` tells of processes.
enum Processes {
  /// The processes that `parent` has had started and that still run, zombies and its starter left out.
  static func children(of parent: pid_t) -> [pid_t] { all(of: parent).filter { !isStarter($0) } }

  /// The process that starts others for `parent`.
  static func starters(of parent: pid_t) -> [pid_t] { all(of: parent).filter(isStarter) }

  private static func all(of parent: pid_t) -> [pid_t] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { pid in
      guard let fields = stat(pid), fields.count > 1 else { return false }
      return fields[0] != "Z" && fields[1] == "\(parent)"
    }
  }

  private static func isStarter(_ pid: pid_t) -> Bool { status(pid, ["Name"])[0] == "login-starter" }

  /// What it has given up, as `/proc/PID/status` tells: whether programs give it rights no more, and how its system calls are restricted.
  static func fence(of pid: pid_t) -> [String] { status(pid, ["NoNewPrivs", "Seccomp"]) }

  /// Where its descriptors lead.
  static func descriptors(of pid: pid_t) -> [String] {
    let folder = "/proc/\(pid)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }.sorted()
  }

  /// The processes one of whose arguments ends with this.
  static func running(withArgument end: String) -> [pid_t] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { pid in
      let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
      return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self).hasSuffix(end) }
    }
  }

  /// Whether it runs.
  static func exists(_ pid: pid_t) -> Bool { stat(pid).map { $0.first != "Z" } ?? false }

  /// How much processor time it has used, in hundredths of a second.
  static func ticks(_ pid: pid_t) -> Int {
    guard let fields = stat(pid), fields.count > 12 else { return 0 }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }

  /// A figure of `/proc/PID/status`, in KiB.
  static func kibibytes(_ pid: pid_t, _ name: String) -> Int { Int(status(pid, [name])[0]) ?? 0 }

  /// How often its main thread has been put to sleep or has been displaced, if it sleeps now; `nil` if it runs or wants to run. A process that
  /// gives the same answer twice has slept in between.
  static func switches(ofSleeping pid: pid_t) -> [String]? {
    let figures = status(pid, ["State", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"])
    return figures[0] == "S" ? figures : nil
  }

  /// The first words behind names in `/proc/PID/status`; empty if there are none.
  private static func status(_ pid: pid_t, _ names: [String]) -> [String] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n")
    return names.map { name in
      let line = lines.first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.map(String.init) ?? ""
    }
  }

  /// The fields of `/proc/PID/stat` behind the name, which may hold anything.
  private static func stat(_ pid: pid_t) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }
}
