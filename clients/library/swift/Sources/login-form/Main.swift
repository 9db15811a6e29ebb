import EngineCore
import Foundation
import Observation

/// Simulates a user of the app, and prints what views would draw. The user enters a wrong password,
/// which disables the button for a while, then the right password, and then a passkey.
@main enum Main {
  @MainActor static func main() async throws {
    let form = LoginForm(try FlowCatalog(loaded: []), decide: Server.decide)
    form.change(item: "email", to: .text("ada@example.com"))
    form.change(item: "password", to: .text("another horse"))
    await submit(form)
    print("\(form.snapshot.state): \(form.snapshot.error?.text ?? "no error")")
    await wait(for: form) { $0.actions.first?.enabled == true }
    form.change(item: "password", to: .text("correct horse"))
    await submit(form)
    let items = form.snapshot.sections.flatMap(\.items)
    guard let passkey = items.first(where: { $0.type == "webauthn.get" }) else { return print("no passkey") }
    print("\(form.snapshot.state): a passkey of \(passkey.request?["rpId"]?.text ?? "no site")")
    form.change(item: passkey.id, to: .object(["id": .text("a2V5"), "type": .text("public-key")]))
    await submit(form)
    print("\(form.snapshot.state): \(form.snapshot.scene?.principal ?? "no principal")")
  }

  @MainActor private static func submit(_ form: LoginForm) async {
    form.press("submit")
    await wait(for: form) { $0.state != "requestPending" }
  }

  /// Waits for changes of the snapshot, as views do.
  @MainActor private static func wait(for form: LoginForm, until isThere: (Snapshot) -> Bool) async {
    while !isThere(form.snapshot) {
      await withCheckedContinuation { changed in
        withObservationTracking {
          _ = form.snapshot
        } onChange: {
          changed.resume()
        }
      }
    }
  }
}

/// The app's server, which has one user with a password and a passkey.
enum Server {
  @Sendable static func decide(_ line: Data) async -> Data {
    guard let question = try? JSONDecoder().decode(Value.self, from: line), let id = question["id"],
      let values = question["params"]?["values"]
    else { return Data() }
    let response = Value.object(["jsonrpc": .text("2.0"), "id": id, "result": result(values)])
    return (try? JSONEncoder().encode(response)) ?? Data()
  }

  private static func result(_ values: Value) -> Value {
    if values["passkey"]?["id"] == .text("a2V5") {
      return .object(["outcome": .text("accepted"), "principal": .text("ada")])
    }
    guard values["password"] == .text("correct horse") else {
      return .object(["outcome": .text("throttled"), "retryAfterMs": .number(100)])
    }
    let passkey: [String: Value] = [
      "id": .text("passkey"), "apiKey": .text("passkey"), "kind": .text("external"), "type": .text("webauthn.get"),
      "request": .object(["rpId": .text("example.com"), "challenge": .text("Y2hhbGxlbmdl")]),
    ]
    let section: [String: Value] = ["id": .text("passkey"), "items": .array([.object(passkey)])]
    let screen: [String: Value] = [
      "id": .text("passkey"), "title": .text("Passkey"), "sections": .array([.object(section)]),
    ]
    return .object(["outcome": .text("challenge"), "screen": .object(screen)])
  }
}
