/// Draws codes that another device can scan as QR codes, if there is room.
extension Screen {
  /// The columns and rows that the QR code of an item needs, with its quiet zone; `nil` if the text
  /// is too long for a QR code.
  func pictureSize(of item: ViewModel.Item) -> (columns: Int, rows: Int)? {
    guard item.isPicture, let size = QRCode.size(for: item.extraText?.utf8.count ?? 0) else { return nil }
    let side = size + 2 * QRCode.quietZone
    return (side, (side + 1) / 2)
  }

  /// Adds the QR code of an item if it fits into the card, and always its text, because not
  /// everyone can scan.
  func addCode(_ item: ViewModel.Item, to page: inout Page) {
    let text = item.extraText ?? ""
    if let needed = pictureSize(of: item) {
      if needed.columns <= page.textWidth && needed.rows <= space, let code = QRCode(Array(text.utf8)) {
        for line in lines(of: code) {
          var row = page.row()
          page.add(line, .picture, to: &row)
          page.add(row)
        }
      } else {
        let size = "\(needed.columns + 6) columns and \(needed.rows + 4) rows"
        page.add("A terminal of \(size) shows this as a QR code.", .faint)
      }
    }
    page.add(verbatim: text, style(of: item))
  }

  /// The text rows of a QR code. Each character shows two modules, one above the other.
  private func lines(of code: QRCode) -> [String] {
    let border = QRCode.quietZone
    let range = -border..<(code.size + border)
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      range.map { column in
        // Without colours, undrawn cells count as dark, as in most terminals.
        switch (code[row, column] == look.isColored, code[row + 1, column] == look.isColored) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }
  }
}
