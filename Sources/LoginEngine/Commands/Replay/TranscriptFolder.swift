import Glibc
import System

/// Finds transcripts by paths from the command line.
enum TranscriptFolder {
  private static let suffix = ".jsonl"

  /// The transcripts at a path: the path itself, or, for a folder, every file in it and its
  /// subfolders whose name ends in `.jsonl`, sorted by path.
  ///
  /// - Throws: `TranscriptError` if a folder cannot be read or has no transcripts.
  static func files(at path: String) throws(TranscriptError) -> [String] {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [path] }
    var root = path
    while root.utf8.count > 1, root.hasSuffix("/") { root.removeLast() }
    let files = try contents(of: root).sorted()
    guard !files.isEmpty else { throw TranscriptError(text: "\(path): no file in this folder ends in \(suffix)") }
    return files
  }

  private static func contents(of folder: String) throws(TranscriptError) -> [String] {
    guard let stream = opendir(folder) else {
      throw TranscriptError(text: "\(folder): \(SystemError(call: "opendir", number: errno).reason)")
    }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      // Symbolic links are not followed, so no folder is visited twice.
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        files += try contents(of: path)
      } else if name.hasSuffix(suffix) {
        files.append(path)
      }
    }
    return files
  }
}
