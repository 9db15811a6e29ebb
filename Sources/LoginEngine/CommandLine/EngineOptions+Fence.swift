import System

extension EngineOptions {
  /// The rights that an engine keeps after all its files were read or opened. It then cannot start
  /// programs or use the network, and can write and remove only the files that its options name.
  var fence: Fence {
    var fence = Fence()
    if let savingFile {
      fence.keep([.readFolders, .writeFiles, .makeFiles, .removeFiles], inFolderOf: savingFile)
    }
    if let restoring { fence.keep(.removeFiles, inFolderOf: restoring) }
    return fence
  }
}
