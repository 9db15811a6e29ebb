extension Chart {
  private enum Layout {
    static let width = 720
    static let titleHeight = 26
    static let legendHeight = 20
    static let barHeight = 16
    static let barGap = 3
    static let rowGap = 9
    static let panelGap = 20
    /// Where bars begin, and how long the longest is; behind that there is room for its text.
    static let left = 140
    static let longest = 480
  }

  /// The picture as an SVG document (SVG 1.1), in light or dark colours as the reader's system has them.
  func svg() -> String {
    var (y, body) = (0, "")
    for panel in panels { body += drawing(of: panel, at: &y) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Layout.width) \(max(y, 1))" role="img" aria-label="\(label)">
      <style>
      text { font: 13px system-ui, sans-serif; fill: #1f2328 }
      .title { font-weight: 600 }
      .note { fill: #59636e }
      .own { fill: #2f6fde }
      .other { fill: #c8ced6 }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .note { fill: #9198a1 } .own { fill: #4f8ff7 } .other { fill: #4a525c }
      }
      </style>
      \(body)</svg>

      """
  }

  /// What somebody reads who does not see the picture.
  private var label: String {
    panels.map { panel in
      let rows = panel.rows.map { row in
        "\(row.title): \(row.own.text)" + (row.other.map { ", beside \($0.text)" } ?? "")
      }
      return "\(panel.title): " + rows.joined(separator: "; ")
    }.joined(separator: ". ")
  }

  /// Draws a panel below `y`, which is below the panel then.
  private func drawing(of panel: Panel, at y: inout Int) -> String {
    var drawn = text(panel.title, x: 0, y: y + 16, class: "title")
    if let otherName = panel.otherName {
      drawn += text("login-engine", x: Layout.left, y: y + 35, class: "note", box: "own")
      drawn += text(otherName, x: Layout.left + 120, y: y + 35, class: "note", box: "other")
      y += Layout.legendHeight
    }
    y += Layout.titleHeight
    for row in panel.rows {
      drawn += text(row.title, x: 0, y: y + 13, class: "note")
      drawn += bar(row.own, "own", of: panel, at: &y)
      if let other = row.other { drawn += bar(other, "other", of: panel, at: &y) }
      y += Layout.rowGap
    }
    y += Layout.panelGap
    return drawn
  }

  private func bar(_ bar: Bar, _ name: String, of panel: Panel, at y: inout Int) -> String {
    let length = max(1, Int((Double(Layout.longest) * bar.value.per(panel.scale)).rounded()))
    let (left, height) = (Layout.left, Layout.barHeight)
    let drawn =
      #"<rect class="\#(name)" x="\#(left)" y="\#(y)" width="\#(length)" height="\#(height)" rx="2"/>"# + "\n"
      + text(bar.text, x: left + length + 6, y: y + 13)
    y += height + Layout.barGap
    return drawn
  }

  /// Only texts of this program are drawn, which have nothing to escape.
  private func text(_ text: String, x: Int, y: Int, class name: String? = nil, box: String? = nil) -> String {
    let square = box.map { #"<rect class="\#($0)" x="\#(x)" y="\#(y - 10)" width="11" height="11" rx="2"/>"# + "\n" }
    let start = box == nil ? x : x + 17
    let classes = name.map { #" class="\#($0)""# } ?? ""
    return (square ?? "") + #"<text\#(classes) x="\#(start)" y="\#(y)">\#(text)</text>"# + "\n"
  }
}
