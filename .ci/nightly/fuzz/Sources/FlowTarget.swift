import FlowFiles
import LoginMachine

/// Reads a flow definition. If it is valid and not too large, opens each of its screens in an
/// engine and uses the screen's items and actions.
enum FlowTarget {
  static func run(_ input: [UInt8]) {
    handledLines += 1
    let flow: Flow
    do throws(FlowFileError) {
      let (found, warnings) = try FlowFile.check(input, name: "flow.json")
      flow = found
      for warning in warnings where "\(warning)".isEmpty { fail("a warning says nothing") }
    } catch {
      if "\(error)".isEmpty { fail("an error says nothing") }
      return
    }
    // A screen can have a thousand items, and a flow two hundred screens: large ones are read and not used.
    guard flow.screens.count <= 12, flow.screens.allSatisfy({ $0.items.count <= 40 }) else { return }
    let host = Host([flow])
    for (index, screen) in flow.screens.enumerated() {
      use(screen, of: flow, "s\(index)", host)
    }
    _ = host.send(#"{"jsonrpc":"2.0","id":1,"method":"engine/describe"}"#)
  }

  private static func use(_ screen: Screen, of flow: Flow, _ name: String, _ host: Host) {
    func call(_ method: String, _ params: String = "") {
      let params = #"{"session":"\#(name)"\#(params)}"#
      _ = host.send(#"{"jsonrpc":"2.0","id":1,"method":"session/\#(method)","params":\#(params)}"#)
    }
    call("open", #","flow":"\#(flow.id)","screen":"\#(screen.id)","supports":["key"]"#)
    for item in screen.items {
      for value in [#""x""#, "true", #""2004-02-29""#, #""ada@example.com""#] {
        call("edit", #","item":"\#(item.id)","value":\#(value)"#)
      }
      call("options", #","item":"\#(item.id)""#)
    }
    call("locale", #","locale":"de""#)
    call("press", #","action":"\#(screen.primary.submit.id)""#)
    call("press", #","action":"\#(screen.primary.cancel.id)""#)
    for link in screen.links { call("press", #","action":"\#(link.action.id)""#) }
    call("save")
    call("snapshot")
  }
}
