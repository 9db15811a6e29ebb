import LoginMachine

extension Definition {
  /// The maximum number of initial requests of a screen.
  private static let maximumInitialRequests = 4

  /// Reads the member `begins` of a screen, which lists its initial requests.
  func initialRequests(_ screens: NameList) throws(FlowFileError) -> [Screen.InitialRequest] {
    guard let definitions = try optional("begins")?.elements(1...Definition.maximumInitialRequests) else { return [] }
    var requests: [Screen.InitialRequest] = []
    for definition in definitions {
      try definition.allowOnly(["request", "as", "success"])
      let place = try definition.required("as")
      let beginning = Screen.InitialRequest(
        try definition.required("request").name(), try place.choice(Screen.InitialRequest.Place.self),
        success: try definition.optional("success")?.success(screens))
      if beginning.place == .cover, requests.contains(where: { $0.place == .cover }) {
        throw place.error(expected: "\"beside\", as another request covers the screen")
      }
      requests.append(beginning)
    }
    return requests
  }

  /// Checks that initial requests cannot lead from a screen back to itself without user input. This
  /// value is the list that defines `screens`.
  func checkInitialRequests(_ screens: [Screen]) throws(FlowFileError) {
    for (index, screen) in screens.enumerated() {
      for (place, beginning) in screen.initialRequests.enumerated() {
        guard let target = beginning.success?.screen, leads(from: target, to: index, screens) else { continue }
        let screen = try elements(1...FlowFile.maximumScreens)[index]
        let beginning = try screen.required("begins").elements(1...Definition.maximumInitialRequests)[place]
        throw try beginning.required("success").required("screen")
          .error(expected: "a screen that does not lead back here without user input")
      }
    }
  }

  /// Whether initial requests alone can lead from one screen to another.
  private func leads(from start: Int, to end: Int, _ screens: [Screen]) -> Bool {
    var known: Set<Int> = [start]
    var open = [start]
    while let screen = open.popLast() {
      if screen == end { return true }
      for next in screens[screen].initialRequests.compactMap(\.success?.screen) where known.insert(next).inserted {
        open.append(next)
      }
    }
    return false
  }
}
