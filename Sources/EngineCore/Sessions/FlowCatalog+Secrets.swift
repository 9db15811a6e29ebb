import LoginForms

extension FlowCatalog {
  /// The names under which the flows that were loaded send what a person enters in secret, but `password` and `code`, in order. The
  /// built-in flows send no others.
  package var secretValues: [String] {
    var names: Set<String> = []
    for screen in loaded.flatMap(\.screens) {
      for item in screen.items where item.isSecret { item.apiKey.map { _ = names.insert($0) } }
    }
    return names.subtracting(["password", "code"]).filter { !$0.contains(",") }.sorted()
  }
}
