import Testing

/// One fault of an authenticator, as protocol/authenticators.md lists it.
struct Fault: CustomTestStringConvertible, Sendable {
  /// The name of the fault: what the authenticator does.
  var name: String
  /// What the authenticator's script (`sh`) does after two questions. `$held` is the number of the
  /// first question, and `$id` the number of the second, at which the fault happens. The script
  /// also contains everything after the fault, including the answer to the first question.
  var script: String
  /// The outcome of the session whose question goes wrong: a code, `answered` or `cancelled`.
  var concerned: String
  /// The outcome of the session whose question does not meet the fault.
  var other: String
  /// How often attempts after the fault time out before one succeeds.
  var timeouts = 0

  /// The text in the table's column about the next attempt.
  var next: String {
    switch timeouts {
    case 0 where Fault.unstartable.contains(name): "works once it can be started"
    case 0: "works"
    default: "times out; the one after that works"
    }
  }

  var testDescription: String { name }

  /// The row about this fault in the table of protocol/authenticators.md.
  var row: String { "| \(name) | \(Fault.spelt(concerned)) | \(Fault.spelt(other)) | \(next) |" }

  private static func spelt(_ outcome: String) -> String { outcome.contains(".") ? "`\(outcome)`" : outcome }

  static let unstartable = ["never starts", "is not executable"]

  private static let answersOther = "id=$held; accept; while ask; do accept; done"
  private static let stops = "exec sleep 600"

  static let all: [Fault] = [
    Fault(name: "exits before answering", script: "exit 1", concerned: "network.exited", other: "network.exited"),
    Fault(name: "exits after answering", script: "accept; exit 0", concerned: "answered", other: "network.exited"),
    Fault(name: "never starts", script: "", concerned: "network.unavailable", other: "network.unavailable"),
    Fault(name: "is not executable", script: "", concerned: "network.unavailable", other: "network.unavailable"),
    Fault(name: "hangs", script: stops, concerned: "network.timeout", other: "network.timeout", timeouts: 1),
    Fault(
      name: "answers late after a cancel",
      script:
        "while read -r line; do case $line in *authenticator/cancel*) break ;; esac; done; accept; \(answersOther)",
      concerned: "cancelled", other: "answered"),
    Fault(
      name: "answers twice", script: "accept; answer '{\"outcome\":\"rejected\",\"reason\":\"no\"}'; \(answersOther)",
      concerned: "answered", other: "answered"),
    Fault(
      name: "answers an unknown id", script: "id=4711; accept; \(answersOther)", concerned: "network.timeout",
      other: "answered"),
    Fault(
      name: "writes half a line and stops",
      script: #"printf '{"jsonrpc":"2.0","id":%s,"result":{"outc' "$id"; \#(stops)"#, concerned: "network.timeout",
      other: "network.timeout", timeouts: 1),
    Fault(
      name: "writes 100 MiB without a newline", script: "head -c 104857600 /dev/zero | tr '\\0' x; \(answersOther)",
      concerned: "network.invalidAnswer", other: "network.invalidAnswer"),
    Fault(
      name: "writes invalid JSON", script: "echo '{\"jsonrpc\":\"2.0\",}'; \(answersOther)",
      concerned: "network.invalidAnswer", other: "network.invalidAnswer"),
    Fault(
      name: "writes invalid UTF-8",
      script: #"printf '{"jsonrpc":"2.0","id":%s,"result":{"outcome":"\377"}}\n' "$id"; \#(answersOther)"#,
      concerned: "network.invalidAnswer", other: "network.invalidAnswer"),
    Fault(
      name: "writes a valid message of the wrong shape", script: "answer '{\"outcome\":[1]}'; \(answersOther)",
      concerned: "network.invalidAnswer", other: "answered"),
    Fault(
      name: "closes its standard input", script: "exec 0<&-; echo > $left; \(stops)", concerned: "network.timeout",
      other: "network.timeout"),
    Fault(
      name: "never reads (its pipe fills)", script: stops, concerned: "network.timeout", other: "network.timeout",
      timeouts: 1),
    Fault(
      name: "floods standard error", script: "yes complaint | head -c 50000000 >&2; accept; \(answersOther)",
      concerned: "answered", other: "answered"),
    Fault(
      name: "exits and leaves a child behind", script: "sleep 600 & echo $! > $left; exit 1",
      concerned: "network.exited", other: "network.exited"),
  ]
}
