import CSystem

/// The heap of this process.
public enum Heap {
  /// Asks for huge pages for new allocations, if the system offers them. Call it again as the heap
  /// grows.
  ///
  /// With random access to hundreds of megabytes, address translation takes as long as the access
  /// itself. From one thread only.
  public static func useHugePages() { csystem_use_huge_heap_pages() }
}
