public import LoginForms

extension Flow {
  /// The names under which flows that were loaded send what a person enters in secret, but `password` and `code`, in order. The
  /// built-in flows send no others.
  public static func secretValues(of loaded: [Flow]) -> [String] {
    // The usual start has none, and would wait for the types below to be made.
    if loaded.isEmpty { return [] }
    var names: Set<String> = []
    for screen in loaded.flatMap(\.screens) {
      for item in screen.items where item.isSecret { item.apiKey.map { _ = names.insert($0) } }
    }
    return names.subtracting(["password", "code"]).filter { !$0.contains(",") }.sorted()
  }
}
