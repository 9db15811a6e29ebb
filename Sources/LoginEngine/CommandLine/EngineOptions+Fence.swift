import System

extension EngineOptions {
  /// The rights that an engine keeps once all files are read and open: it starts no program, uses
  /// no network, and writes and removes only the files of its options.
  var fence: Fence {
    var fence = Fence()
    if let savingFile {
      fence.keep([.readFolders, .writeFiles, .makeFiles, .removeFiles], inFolderOf: savingFile)
    }
    if let restoring { fence.keep(.removeFiles, inFolderOf: restoring) }
    return fence
  }
}
