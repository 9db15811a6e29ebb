import System

extension EngineOptions {
  /// What an engine needs once everything is read and open: no program, no network, and the files that it writes or removes at last.
  var fence: Fence {
    var fence = Fence()
    if let savingFile {
      fence.keep([.readFolders, .writeFiles, .makeFiles, .removeFiles], inFolderOf: savingFile)
    }
    if let restoring { fence.keep(.removeFiles, inFolderOf: restoring) }
    return fence
  }
}
